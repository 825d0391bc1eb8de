#include "measure/source_order.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace antipode {

namespace {

std::size_t whole_rounds(std::size_t count, std::size_t most) {
  return std::min(most, (count + kFirstRound - 1) / kFirstRound * kFirstRound);
}

// Sorts by falling weight, if there are heavy sources. Returns their number, rounded up.
std::size_t move_heavy_to_front(std::vector<Vertex>& sources, const std::vector<double>& weight) {
  constexpr double kHeavy = 8;  // times the mean weight: fewer than one in eight
  const double all = std::accumulate(weight.begin(), weight.end(), 0.0);
  const double limit = kHeavy * all / static_cast<double>(sources.size());
  const auto heavy = static_cast<std::size_t>(
      std::count_if(weight.begin(), weight.end(), [=](double w) { return w > limit; }));
  if (heavy == 0) return 0;
  std::stable_sort(sources.begin(), sources.end(),
                   [&](Vertex a, Vertex b) { return weight[a] > weight[b]; });
  return whole_rounds(heavy, sources.size());
}

// Not std::shuffle, whose result depends on the standard library.
void shuffle(std::span<Vertex> sources, std::mt19937_64& random) {
  for (std::size_t i = sources.size(); i > 1; --i) std::swap(sources[i - 1], sources[random() % i]);
}

void add_rounds(SourceOrder& order) {
  constexpr std::size_t kRounds = 8;  // no round is longer than an eighth
  std::vector<Vertex>& sources = order.sources;
  const auto at = [&](std::size_t i) { return sources.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto end = [&] { return order.rounds.empty() ? 0 : order.rounds.back().end; };
  const auto add_round = [&](std::size_t size, Stratum stratum) {
    const std::size_t begin = end();
    order.rounds.push_back({std::min(sources.size(), begin + size), stratum});
    std::sort(at(begin), at(end()));
  };
  const std::size_t first = std::min(kFirstRound, order.heavy);
  if (first > 0) add_round(first, Stratum::heavy);
  if (order.heavy > first) {
    const std::size_t light = std::min(kFirstRound, sources.size() - order.heavy);
    std::rotate(at(first), at(order.heavy), at(order.heavy + light));
    if (light > 0) add_round(light, Stratum::light);
    add_round(order.heavy - first, Stratum::heavy);
  }
  const std::size_t longest = whole_rounds(sources.size() / kRounds, sources.size());
  for (std::size_t size = kFirstRound; end() < sources.size(); size = std::min(2 * size, longest))
    add_round(size, Stratum::light);
}

}  // namespace

SourceOrder source_order(const Core& core, const BetweennessOptions& options) {
  SourceOrder order;
  std::vector<Vertex>& sources = order.sources;
  sources.resize(core.graph.order());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  if (options.samples == 0) order.heavy = move_heavy_to_front(sources, core.weight);
  std::mt19937_64 random(options.seed);
  shuffle(std::span(sources).subspan(order.heavy), random);
  shuffle(std::span(sources).first(order.heavy), random);
  if (options.samples > 0) sources.resize(std::min(sources.size(), options.samples));
  add_rounds(order);
  return order;
}

}  // namespace antipode
