#include "measure/dependency_sum.hpp"

#include <algorithm>
#include <cmath>

namespace antipode {

namespace {

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

}  // namespace

DependencySum::DependencySum(DependencySource& from, const Core& core,
                             const BetweennessOptions& options, Arcs arcs)
    : from_(from),
      core_(core),
      edges_(options.edges),
      order_(source_order(core, options)),
      all_done_{.vertices = std::vector<double>(core.graph.order(), 0),
                .arcs = std::vector<double>(arcs == Arcs::counted ? core.graph.arcs() : 0, 0)} {}

bool DependencySum::has_estimate() const {
  return counted_ == core_.graph.order() ||
         (sample_size(Stratum::light) > 0 &&
          (order_.heavy == 0 || sample_size(Stratum::heavy) > 0));
}

std::vector<Round>::const_iterator DependencySum::after(std::size_t at) const {
  return std::upper_bound(order_.rounds.begin(), order_.rounds.end(), at,
                          [](std::size_t place, const Round& round) { return place < round.end; });
}

std::size_t DependencySum::sample_size(Stratum stratum) const {
  std::size_t count = 0, begin = 0;
  for (const Round& round : order_.rounds) {
    if (round.end <= counted_ && round.stratum == stratum) count += round.end - begin;
    begin = round.end;
  }
  return count;
}

void DependencySum::add(std::size_t begin, std::span<const Vertex> part) {
  for (std::size_t at = begin; at < begin + part.size();) {
    const Round& round = *after(at);
    const std::size_t until = std::min(round.end, begin + part.size());
    all_done_.weights = core_.weight;
    from_.add(part.subspan(at - begin, until - at), all_done_);
    at = until;
    if (at == round.end) finish(round);
  }
}

void DependencySum::finish(const Round& round) {
  if (round.stratum == Stratum::heavy) {
    const auto add = [](std::vector<double>& heavy, const std::vector<double>& now,
                        const std::vector<double>& before) {
      heavy.resize(now.size(), 0);
      for (std::size_t i = 0; i < now.size(); ++i)  // rounding must not make a part exceed the sum
        heavy[i] = std::min(now[i], heavy[i] + now[i] - (before.empty() ? 0 : before[i]));
    };
    add(from_heavy_.vertices, all_done_.vertices, from_rounds_.vertices);
    add(from_heavy_.arcs, all_done_.arcs, from_rounds_.arcs);
  }
  from_rounds_ = all_done_;
  counted_ = round.end;
}

Dependencies DependencySum::scale() const {
  if (counted_ == core_.graph.order()) return all_done_;
  Dependencies result = from_rounds_;
  const double light = scale(Stratum::light), heavy = order_.heavy == 0 ? 0 : scale(Stratum::heavy);
  const auto scale_up = [&](std::vector<double>& values, const std::vector<double>& of_heavy) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double known = of_heavy.empty() ? 0 : of_heavy[i];
      values[i] = heavy * known + light * (values[i] - known);
    }
  };
  scale_up(result.vertices, from_heavy_.vertices);
  scale_up(result.arcs, from_heavy_.arcs);
  return result;
}

std::vector<Stratum> DependencySum::strata() const {
  std::vector<Stratum> result(core_.graph.order(), Stratum::light);
  std::size_t begin = 0;
  for (const Round& round : order_.rounds)
    for (; begin < round.end; ++begin) result[order_.sources[begin]] = round.stratum;
  return result;
}

double DependencySum::epsilon(double delta) const {
  const double n = static_cast<double>(core_.parent.size());
  const double pairs = edges_ ? n * (n - 1) : (n - 1) * (n - 2),
               values = static_cast<double>(edges_ ? core_.graph.size() : core_.graph.order());
  const std::vector<Stratum> strata = this->strata();
  // If both strata are estimated, each may miss.
  const double both = sample_size(Stratum::heavy) < order_.heavy ? 4 : 2;
  double result = 0;
  for (const Stratum stratum : {Stratum::light, Stratum::heavy}) {
    const double k = static_cast<double>(sample_size(stratum)),
                 m = static_cast<double>(size(stratum));
    if (m == 0) continue;
    double range = 0, squares = 0;
    for (Vertex v = 0; v < core_.graph.order(); ++v) {
      if (strata[v] != stratum) continue;
      const double most = m * core_.weight[v] * (n - core_.weight[v] - (edges_ ? 0 : 1)) / pairs;
      range = std::max(range, most);
      squares += most * most / m;
    }
    result += error_of_mean(k, m, range, squares, std::log(both * values / delta));
  }
  return std::min(result, 1.0);
}

}  // namespace antipode
