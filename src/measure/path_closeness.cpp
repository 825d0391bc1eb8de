// Closeness with lengths: the sum of the distances from every vertex, or that of their inverses,
// which takes the distances themselves. Memory: 28 bytes a vertex, harmonic 8 more.
#include <cmath>
#include <numeric>

#include "antipode/path_averages.hpp"
#include "graph/limits.hpp"
#include "measure/path_sums.hpp"
#include "measure/source_loop.hpp"

namespace antipode {

double PathCloseness::value(Vertex v) const {
  const double one = to_double(1, unit);
  if (formula == ClosenessFormula::harmonic) return inverse_sum[v] / one;
  if (sum[v] == 0) return 0;
  const double others = reached[v] - 1.0, mean = others / (static_cast<double>(sum[v]) * one);
  return formula == ClosenessFormula::classic ? mean : mean * others / (order - 1.0);
}

namespace {

// In blocks, so that rounding grows with their number alone.
double sum_of_inverses(std::span<const Length> distances) {
  constexpr std::size_t kBlock = 256;
  double result = 0;
  for (std::size_t begin = 0; begin < distances.size(); begin += kBlock) {
    double block = 0;
    for (const Length d : distances.subspan(begin, std::min(kBlock, distances.size() - begin)))
      block += d == 0 || d == kNoPath ? 0 : 1 / static_cast<double>(d);
    result += block;
  }
  return result;
}

class Nearness {
 public:
  Nearness(PathEngine& engine, ClosenessFormula formula)
      : engine_(engine), harmonic_(formula == ClosenessFormula::harmonic) {}

  Vertex done() const { return static_cast<Vertex>(sums_.size()); }

  void add(std::span<const Vertex> part) {
    if (!harmonic_) return sums_.add(engine_.summarize(part, Along::arcs));
    std::vector<double> inverses(part.size());
    sums_.add(visit_rows(engine_, part, [&](std::size_t i, std::span<const Length> distances) {
      inverses[i] = sum_of_inverses(distances);
    }));
    inverses_.insert(inverses_.end(), inverses.begin(), inverses.end());
  }

  std::vector<unsigned char> state() const {
    StateWriter writer;
    sums_.put(writer);
    if (harmonic_) writer.put(inverses_);
    return writer.sealed();
  }

  void restore(const std::vector<unsigned char>& kept, std::span<const Vertex> sources) {
    StateReader reader(kept);
    sums_.get(reader);
    if (harmonic_) reader.get(inverses_);
    reader.finish();
    sums_.check(reader, engine_, sources);
    if (harmonic_) check_inverses(reader, sources);
  }

  PathCloseness finish(ClosenessFormula formula) && {
    return {.formula = formula,
            .unit = engine_.graph().unit(),
            .reached = std::move(sums_.reached),
            .sum = std::move(sums_.sum),
            .eccentricity = std::move(sums_.eccentricity),
            .inverse_sum = std::move(inverses_),
            .order = engine_.graph().order()};
  }

 private:
  // With positive distances their harmonic mean is at most the mean, and the longest at least that.
  void check_inverses(const StateReader& reader, std::span<const Vertex> sources) const {
    constexpr double kRounding = 1e-9;
    reader.require(inverses_.size() == sums_.size(), "it has other sources than it counts");
    for (std::size_t i = 0; i < sums_.size(); ++i)
      reader.require(std::isfinite(inverses_[i]) && inverses_[i] >= 0 &&
                         inverses_[i] <= sums_.reached[i] - 1.0 &&
                         (inverses_[i] > 0) == (sums_.eccentricity[i] > 0) &&
                         inverses_[i] * static_cast<double>(sums_.eccentricity[i]) >=
                             (sums_.eccentricity[i] > 0 ? 1 - kRounding : 0),
                     "a sum of inverses is out of range");
    std::vector<Vertex> again(sums_.size());
    std::iota(again.begin(), again.end(), Vertex{0});
    again = any_of(again);
    std::vector<Vertex> vertices;
    for (const Vertex place : again) vertices.push_back(sources[place]);
    visit_rows(engine_, vertices, [&](std::size_t i, std::span<const Length> distances) {
      reader.require(sum_of_inverses(distances) == inverses_[again[i]],
                     "a source shows something else when it is searched again");
    });
  }

  PathEngine& engine_;
  bool harmonic_;
  PathSums sums_;
  std::vector<double> inverses_;
};

}  // namespace

PathCloseness closeness(PathEngine& engine, ClosenessFormula formula, Observer& observer,
                        CheckpointStore& checkpoint) {
  constexpr std::uint64_t kSource = 28 + 8 + 4;
  refuse_bytes(engine.graph().order() * kSource, "closeness of this graph");
  std::vector<Vertex> sources(engine.graph().order());
  std::iota(sources.begin(), sources.end(), Vertex{0});
  Nearness nearness(engine, formula);
  if (const auto kept = checkpoint.load(); !kept.empty()) nearness.restore(kept, sources);
  Vertex done = nearness.done();
  const bool finished = for_chunks(
      engine, sources, engine.costs().batch, done, observer, checkpoint,
      [&](std::size_t, std::span<const Vertex> part) { nearness.add(part); },
      [&] { checkpoint.save(nearness.state()); });
  PathCloseness result = std::move(nearness).finish(formula);
  result.finished = finished;
  return result;
}

}  // namespace antipode
