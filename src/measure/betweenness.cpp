// Betweenness: dependencies within the 2-core, and those of its pendant trees.
//
// Sources come in random rounds, so the complete rounds of a stopped run are a sample without
// replacement. A source s of the 2-core counts weight(s) times. An estimate would depend on whether
// the few sources with large pendant trees are in the sample, so these *heavy* sources are a
// stratum of their own. The order is: a round of heavy sources; a round of others, after which
// there is an estimate; all other heavy sources, whose part is exact from then on; all the rest.
// With k of the m sources of a stratum done, the estimate is
//   sum over strata of m / k · dependencies of the k.
// Its mean is the exact value, since each of the m is among the k with probability k / m.
//
// Within a round sources are sorted by number: searches from neighbours are alike, and run up to a
// third faster one after the other on roads. Rounds double up to an eighth of the sources, so that
// a run that is stopped within a round loses little. Memory: 32 bytes per vertex, and per arc if
// edges are requested.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "graph/limits.hpp"
#include "measure/dependency_total.hpp"
#include "measure/source_loop.hpp"
#include "measure/state.hpp"

namespace antipode {

namespace {

constexpr std::size_t kFirstPart = 32;  // parts of 32, 64, … sources: an engine adds up so many of
                                        // them at a time that these do not matter

struct Round {
  std::size_t end;  // a multiple of kFirstPart, but for the last
  bool heavy;
};

struct SourceOrder {
  std::vector<Vertex> sources;
  std::size_t heavy = 0;  // of them
  std::vector<Round> rounds;
};

std::size_t whole_parts(std::size_t count, std::size_t most) {
  return std::min(most, (count + kFirstPart - 1) / kFirstPart * kFirstPart);
}

SourceOrder source_order(const Core& core, const BetweennessOptions& options) {
  constexpr double kHeavy = 8;        // times the mean weight: fewer than one in eight
  constexpr std::size_t kRounds = 8;  // no round is longer than an eighth
  SourceOrder order;
  std::vector<Vertex>& sources = order.sources;
  sources.resize(core.graph.order());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  const double all = std::accumulate(core.weight.begin(), core.weight.end(), 0.0);
  const double limit = kHeavy * all / static_cast<double>(sources.size());
  const auto heavy = static_cast<std::size_t>(
      std::count_if(core.weight.begin(), core.weight.end(), [=](double w) { return w > limit; }));
  if (heavy > 0 && options.samples == 0) {
    std::stable_sort(sources.begin(), sources.end(),
                     [&](Vertex a, Vertex b) { return core.weight[a] > core.weight[b]; });
    order.heavy = whole_parts(heavy, sources.size());
  }
  std::mt19937_64 random(
      options.seed);  // and no std::shuffle, whose result is the library's affair
  const auto shuffle = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = end; i > begin + 1; --i)
      std::swap(sources[i - 1], sources[begin + random() % (i - begin)]);
  };
  shuffle(order.heavy, sources.size());
  shuffle(0, order.heavy);
  if (options.samples > 0) sources.resize(std::min(sources.size(), options.samples));
  const auto at = [&](std::size_t i) { return sources.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto end = [&] { return order.rounds.empty() ? 0 : order.rounds.back().end; };
  const auto add_round = [&](std::size_t size, bool is_heavy) {
    const std::size_t begin = end();
    order.rounds.push_back({std::min(sources.size(), begin + size), is_heavy});
    std::sort(at(begin), at(end()));
  };
  const std::size_t first = std::min(kFirstPart, order.heavy);  // of the heavy ones
  if (first > 0) add_round(first, true);
  if (order.heavy > first) {
    const std::size_t others = std::min(kFirstPart, sources.size() - order.heavy);
    std::rotate(at(first), at(order.heavy), at(order.heavy + others));
    if (others > 0) add_round(others, false);
    add_round(order.heavy - first, true);
  }
  const std::size_t longest = whole_parts(sources.size() / kRounds, sources.size());
  for (std::size_t size = kFirstPart; end() < sources.size(); size = std::min(2 * size, longest))
    add_round(size, false);
  return order;
}

// Of the mean of k values in 0 … range drawn without repeats from m with at most this mean square:
// it is within this of the mean of all but for a probability of 2 exp(-log).  [Serfling 1974,
// corollary 1.1, and Bernstein's inequality, which holds without repeats by Hoeffding 1963, theorem
// 4: the better one]
double error_of_mean(double k, double m, double range, double mean_square, double log) {
  if (k == m) return 0;
  const double linear = range * log / (3 * k);
  return std::min(range * std::sqrt((1 - (k - 1) / m) * log / (2 * k)),
                  linear + std::sqrt(linear * linear + 2 * mean_square * log / k));
}

// Adds sources in their order. Stores the sums of the complete rounds, and of the heavy sources
// among them.
class DependencySum {
 public:
  DependencySum(Engine& engine, const Core& core, const BetweennessOptions& options)
      : engine_(engine),
        core_(core),
        order_(source_order(core, options)),
        sums_{std::vector<double>(core.graph.order(), 0),
              std::vector<double>(options.edges ? core.graph.arcs() : 0, 0)} {}

  std::span<const Vertex> sources() const { return order_.sources; }
  // Sources that an estimate is from: whole rounds of each stratum there is.
  std::size_t sample_size() const { return counted_; }
  bool has_estimate() const {
    return counted_ == core_.graph.order() ||
           (sample_size(false) > 0 && (order_.heavy == 0 || sample_size(true) > 0));
  }

  void add(std::size_t begin, std::span<const Vertex> part) {
    for (std::size_t at = begin; at < begin + part.size();) {
      const Round& round = *after(at);
      const std::size_t until = std::min(round.end, begin + part.size());
      sums_.weights = core_.weight;
      engine_.accumulate(part.subspan(at - begin, until - at), &sums_);
      at = until;
      if (at == round.end) finish(round);
    }
  }

  // What all sources would give, from those counted; exactly if these are all.
  Dependencies scale() const {
    if (counted_ == core_.graph.order()) return sums_;
    Dependencies result = from_rounds_;
    const double others = scale(false), heavy = order_.heavy == 0 ? 0 : scale(true);
    const auto scale_up = [&](std::vector<double>& values, const std::vector<double>& of_heavy) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double known = of_heavy.empty() ? 0 : of_heavy[i];
        values[i] = heavy * known + others * (values[i] - known);
      }
    };
    scale_up(result.vertices, from_heavy_.vertices);
    scale_up(result.arcs, from_heavy_.arcs);
    return result;
  }

  // Of a normalized value, as Betweenness::epsilon: no value is below 0 or above 1.
  double epsilon(double delta) const {
    const double n = static_cast<double>(core_.parent.size());
    const bool edges = !sums_.arcs.empty();
    const double pairs = edges ? n * (n - 1) : (n - 1) * (n - 2),
                 values = static_cast<double>(edges ? core_.graph.size() : core_.graph.order());
    std::vector<bool> is_heavy(core_.graph.order(), false);
    std::size_t begin = 0;
    for (const Round& round : order_.rounds)
      for (; begin < round.end; ++begin) is_heavy[order_.sources[begin]] = round.heavy;
    const bool both = sample_size(true) < order_.heavy;  // strata are estimated: each may miss
    double result = 0;
    for (const bool heavy : {false, true}) {
      const double k = static_cast<double>(sample_size(heavy)),
                   m = static_cast<double>(stratum(heavy));
      if (m == 0) continue;
      double range = 0, squares = 0;
      for (Vertex v = 0; v < core_.graph.order(); ++v) {
        if (is_heavy[v] != heavy) continue;
        const double most = m * core_.weight[v] * (n - core_.weight[v] - (edges ? 0 : 1)) / pairs;
        range = std::max(range, most);
        squares += most * most / m;
      }
      result += error_of_mean(k, m, range, squares, std::log((both ? 4 : 2) * values / delta));
    }
    return std::min(result, 1.0);
  }

  std::vector<unsigned char> state(Vertex done) const {
    StateWriter writer;
    writer.put(done);
    for (const Dependencies* each : {&sums_, &from_rounds_, &from_heavy_})
      writer.put(each->vertices).put(each->arcs);
    return writer.bytes();
  }

  void restore(const std::vector<unsigned char>& saved, Vertex& done) {
    const std::size_t vertices = sums_.vertices.size(), arcs = sums_.arcs.size();
    StateReader reader(saved);
    reader.get(done);
    for (Dependencies* each : {&sums_, &from_rounds_, &from_heavy_})
      reader.get(each->vertices).get(each->arcs);
    reader.finish();
    reader.require(done <= sources().size(), "it has more sources than there are");
    reader.require(done == sources().size() || done % kFirstPart == 0,
                   "it ends within a part of the sources");
    const auto past = after(done);
    counted_ = past == order_.rounds.begin() ? 0 : (past - 1)->end;
    const auto require_size = [&](const Dependencies& sums, bool there) {
      const bool fits =
          sums.vertices.size() == (there ? vertices : 0) && sums.arcs.size() == (there ? arcs : 0);
      reader.require(fits, "it has sums for another number of vertices or edges");
    };
    require_size(sums_, true);
    require_size(from_rounds_, counted_ > 0);
    require_size(from_heavy_, sample_size(true) > 0);
    // A source sends its weight times that of each other vertex, and nothing passes twice.
    double sent = 0;
    for (const Vertex source : sources().first(done)) sent += core_.weight[source];
    const double most =
        sent * std::accumulate(core_.weight.begin(), core_.weight.end(), 0.0) * (1 + 1e-9);
    const auto check = [&](const std::vector<double>& all, const std::vector<double>& rounds,
                           const std::vector<double>& first) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        reader.require(all[i] >= 0 && all[i] <= most, "a sum is out of range");
        if (!rounds.empty())
          reader.require(rounds[i] >= 0 && rounds[i] <= all[i], "some sources gave more than all");
        if (!first.empty())
          reader.require(first[i] >= 0 && first[i] <= rounds[i], "some sources gave more than all");
      }
    };
    check(sums_.vertices, from_rounds_.vertices, from_heavy_.vertices);
    check(sums_.arcs, from_rounds_.arcs, from_heavy_.arcs);
    check_totals(reader, done);
    check_again(reader, done);
  }

 private:
  std::vector<Round>::const_iterator after(std::size_t at) const {
    return std::upper_bound(
        order_.rounds.begin(), order_.rounds.end(), at,
        [](std::size_t place, const Round& round) { return place < round.end; });
  }
  std::size_t stratum(bool heavy) const {
    return heavy ? order_.heavy : core_.graph.order() - order_.heavy;
  }
  std::size_t sample_size(bool heavy) const {  // of a stratum, and counted
    std::size_t count = 0, begin = 0;
    for (const Round& round : order_.rounds) {
      if (round.end <= counted_ && round.heavy == heavy) count += round.end - begin;
      begin = round.end;
    }
    return count;
  }
  double scale(bool heavy) const {
    return static_cast<double>(stratum(heavy)) / static_cast<double>(sample_size(heavy));
  }

  // The totals of the saved sums follow from the distances of their sources: of all done, of those
  // counted and of the heavy ones. A wrong number of sources shows here.
  void check_totals(const StateReader& reader, Vertex done) {
    constexpr double kRounding = 1e-9;
    std::vector<Vertex> heavy, others;
    std::size_t begin = 0;
    for (const Round& round : order_.rounds)
      for (; begin < std::min(round.end, counted_); ++begin)
        (round.heavy ? heavy : others).push_back(order_.sources[begin]);
    const auto total = [&](std::span<const Vertex> part) {
      return dependency_total(engine_, core_.weight, part);
    };
    const DependencyTotal of_heavy = total(heavy);
    DependencyTotal of_rounds = of_heavy, all;
    of_rounds += total(others);
    all = of_rounds;
    all += total(sources().subspan(counted_, done - counted_));
    const auto require_total = [&](const std::vector<double>& values, double expected, double of) {
      const double sum = std::accumulate(values.begin(), values.end(), 0.0);
      reader.require(values.empty() || std::abs(sum - expected) <= kRounding * of,
                     "its sums are not those of its sources");
    };
    const auto check = [&](const Dependencies& sums, const DependencyTotal& expected) {
      require_total(sums.vertices, expected.vertices, all.vertices);
      require_total(sums.arcs, expected.arcs, all.arcs);
    };
    check(sums_, all);
    check(from_rounds_, of_rounds);
    check(from_heavy_, of_heavy);
  }

  // No sum is smaller than the contribution of a few of its sources.
  void check_again(const StateReader& reader, Vertex done) {
    constexpr double kRounding = 1e-9;
    const auto again = any_of(sources().first(done));
    Dependencies some{std::vector<double>(sums_.vertices.size(), 0),
                      std::vector<double>(sums_.arcs.size(), 0), core_.weight};
    engine_.accumulate(again, &some);
    const auto check = [&](const std::vector<double>& least, const std::vector<double>& all) {
      for (std::size_t i = 0; i < all.size(); ++i)
        reader.require(least[i] <= all[i] * (1 + kRounding) + kRounding,
                       "a sum is smaller than its sources make it");
    };
    check(some.vertices, sums_.vertices);
    check(some.arcs, sums_.arcs);
  }

  void finish(const Round& round) {
    if (round.heavy) {
      const auto add = [](std::vector<double>& heavy, const std::vector<double>& now,
                          const std::vector<double>& before) {
        heavy.resize(now.size(), 0);
        for (std::size_t i = 0; i < now.size();
             ++i)  // rounding must not make a part exceed the sum
          heavy[i] = std::min(now[i], heavy[i] + now[i] - (before.empty() ? 0 : before[i]));
      };
      add(from_heavy_.vertices, sums_.vertices, from_rounds_.vertices);
      add(from_heavy_.arcs, sums_.arcs, from_rounds_.arcs);
    }
    from_rounds_ = sums_;
    counted_ = round.end;
  }

  Engine& engine_;
  const Core& core_;
  SourceOrder order_;
  Dependencies sums_, from_rounds_, from_heavy_;  // of all done, which an interrupted request
                                                  // spoils; of those counted; of the heavy ones
  std::size_t counted_ = 0;
};

// Both directions of an edge, and its pendant trees, as one value; of an arc its own.
std::vector<Betweenness::EdgeValue> edge_values(const Core& core, const Dependencies& sums,
                                                double scale) {
  std::vector<Betweenness::EdgeValue> result;
  const Graph& graph = core.graph;
  for (Vertex v = 0; v < graph.order(); ++v)
    for (std::size_t k = 0; k < graph.neighbors(v).size(); ++k) {
      const Vertex u = graph.neighbors(v)[k];
      if (graph.is_directed())
        result.push_back({{core.old[v], core.old[u]}, scale * sums.arcs[graph.offsets()[v] + k]});
      if (u < v || graph.is_directed()) continue;
      const auto back = graph.neighbors(u);
      const auto where =
          static_cast<std::size_t>(std::lower_bound(back.begin(), back.end(), v) - back.begin());
      result.push_back(
          {{core.old[v], core.old[u]},
           scale * (sums.arcs[graph.offsets()[v] + k] + sums.arcs[graph.offsets()[u] + where])});
    }
  for (Vertex v = 0; v < core.parent.size(); ++v)
    if (const Vertex up = core.parent[v]; up != kNoVertex)
      result.push_back({{std::min(v, up), std::max(v, up)}, core.across[v] / 2});
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return a.edge.from != b.edge.from ? a.edge.from < b.edge.from : a.edge.to < b.edge.to;
  });
  return result;
}

}  // namespace

std::size_t sources_for(double epsilon, double delta, Vertex order, std::uint64_t values) {
  if (order < 3 || values == 0) return order;
  const double n = order, largest = n / (n - 1);
  const double wanted =
      std::ceil(largest * largest * std::log(2 * static_cast<double>(values) / delta) /
                (2 * epsilon * epsilon));
  return wanted < n ? static_cast<std::size_t>(wanted) : order;
}

Betweenness betweenness(Engine& engine, const Core& core, const BetweennessOptions& options,
                        Observer& observer, CheckpointStore& checkpoint) {
  const Graph& graph = core.graph;
  constexpr std::uint64_t kSums = 4 * sizeof(double);  // three kinds, and the answer's
  refuse_bytes(
      graph.order() * kSums +
          (options.edges ? graph.arcs() * kSums + graph.size() * 2 * sizeof(Betweenness::EdgeValue)
                         : 0),
      "betweenness of this graph");
  DependencySum sum(engine, core, options);
  Betweenness result;
  result.all_sources = graph.order();
  if (const auto saved = checkpoint.load(); !saved.empty()) try {
      const StopWhen stopping(engine, observer);
      sum.restore(saved, result.sources);
    } catch (const Interrupted&) {  // the saved state stays as it is
      result.sources = 0;
      return result;
    }
  result.finished = for_chunks(
      engine, sum.sources(), kFirstPart, result.sources, observer, checkpoint,
      [&](std::size_t begin, std::span<const Vertex> part) { sum.add(begin, part); },
      [&] { checkpoint.save(sum.state(result.sources)); });
  // One that only wants times had its sources from anywhere.
  if (observer.only_times() || !sum.has_estimate()) return result;
  result.sampled = sum.sample_size() < graph.order();
  result.counted = static_cast<Vertex>(sum.sample_size());
  result.sources = std::max(result.sources, result.counted);  // the last request is stopped halfway
  if (result.sampled) result.epsilon = sum.epsilon(result.delta);
  const Dependencies sums = sum.scale();
  const double once =
      graph.is_directed() ? 1 : 0.5;  // every pair without an order was counted from both its ends
  for (const double through : core.through) result.vertices.push_back(through / 2);
  for (Vertex v = 0; v < graph.order(); ++v)
    result.vertices[core.old[v]] += once * sums.vertices[v];
  if (options.edges) result.edges = edge_values(core, sums, once);
  return result;
}

}  // namespace antipode
