// The average of distances with lengths: the sum of the distances of every source, or of a sample.
// Sums are of 128 bits, so that they are exact. Sums alone need no distances on the host; the
// distribution takes the distances of each source, in bins whose width doubles whenever there are
// too many. So the width depends on the longest distance alone, not on the order of the sources.
// Memory: 28 bytes a source done; the distribution 4 bytes a vertex more.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "antipode/path_averages.hpp"
#include "graph/limits.hpp"
#include "graph/sample.hpp"
#include "measure/path_sums.hpp"
#include "measure/ratio_error.hpp"
#include "measure/source_loop.hpp"

namespace antipode {

double PathAverage::mean() const {
  return reachable == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(reachable);
}

// Around the whole number m below the mean, sum (d - m)^2 = sum d^2 - 2 m sum d + n m^2 is below
// 2^128 if the sum of the squares is. So it is exact modulo 2^128, whatever the terms are.
std::optional<double> PathAverage::variance() const {
  constexpr int kBits = 128;
  if (!distribution || reachable == 0) return std::nullopt;
  if (2 * std::bit_width(longest) + std::bit_width(reachable) > kBits) return std::nullopt;
  const LengthSum middle = sum / reachable, rest = sum % reachable;
  const LengthSum around = distribution->squares - 2 * middle * sum + middle * middle * reachable;
  const double count = static_cast<double>(reachable), off = static_cast<double>(rest) / count;
  return static_cast<double>(around) / count - off * off;
}

PathAverage::Range PathAverage::quantile(double share) const {
  const double wanted = share * static_cast<double>(reachable);
  std::uint64_t within = 0;
  const auto& pairs = distribution->pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    within += pairs[i];
    if (within == 0 || static_cast<double>(within) < wanted) continue;
    const Length least = i * distribution->width;
    return {.least = std::max(shortest, least),
            .most = std::min(longest, least + (distribution->width - 1))};
  }
  return {.least = longest, .most = longest};
}

namespace {

constexpr Length kMostBins = 2048;

// Distances in bins of 2^shift.
class Bins {
 public:
  // With the 0 of the source itself.
  void add(std::span<const Length> distances, Length longest) {
    widen(longest);
    for (const Length distance : distances) {
      ++pairs_[std::min(distance >> shift_, kMostBins)];  // kNoPath is in the last
      const LengthSum counted = distance == kNoPath ? 0 : distance;
      squares_ += counted * counted;
    }
    --pairs_[0];
  }
  void add(const Bins& other) {
    if (other.longest_ == 0 && other.squares_ == 0 && other.pairs_[0] == 0) return;
    widen(other.longest_);
    for (std::size_t i = 0; i < kMostBins; ++i)
      pairs_[(i << other.shift_) >> shift_] += other.pairs_[i];
    squares_ += other.squares_;
  }
  // A part of a longer run has a width of its own, so the narrower of two is widened.
  PathAverage::Distribution distribution() const {
    const auto count = static_cast<std::ptrdiff_t>((longest_ >> shift_) + 1);
    return {.width = Length{1} << shift_,
            .pairs = {pairs_.begin(), pairs_.begin() + count},
            .squares = squares_};
  }
  void put(StateWriter& writer) const { writer.put(longest_).put(pairs_).put(squares_); }
  void get(StateReader& reader) {
    std::vector<std::uint64_t> pairs;
    reader.get(longest_).get(pairs).get(squares_);
    reader.require(longest_ < kNoPath / 2 && pairs.size() == kMostBins + 1,
                   "its distribution has another number of bins");
    pairs_ = std::move(pairs);
    for (shift_ = 0; longest_ >> shift_ >= kMostBins;) ++shift_;
  }
  // The bins hold the pairs of these sums and not more, and the distances of one of them.
  void check(const StateReader& reader, const PathSums& sums, PathEngine& engine,
             std::span<const Vertex> done) const {
    std::uint64_t others = 0, counted = 0;
    Length longest = 0;
    LengthSum sum = 0, least = 0, squares_least = 0, squares_most = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      others += sums.reached[i] - 1;
      longest = std::max(longest, sums.eccentricity[i]);
      sum += sums.sum[i];
    }
    const LengthSum beyond = (LengthSum{1} << shift_) - 1;  // of the largest of a bin, its smallest
    for (std::size_t i = 0; i < kMostBins; ++i) {
      reader.require(pairs_[i] <= others - counted, "its distribution has other pairs");
      counted += pairs_[i];
      const LengthSum from = LengthSum{i} << shift_;
      least += from * pairs_[i];
      squares_least += from * from * pairs_[i];
      squares_most += (from + beyond) * (from + beyond) * pairs_[i];
    }
    reader.require(counted == others && longest == longest_, "its distribution has other pairs");
    reader.require(least <= sum && sum <= least + beyond * counted,
                   "its distribution has other distances than their sum allows");
    if (2 * (std::bit_width(longest) + 1) + std::bit_width(others) <= 128)
      reader.require(squares_least <= squares_ && squares_ <= squares_most,
                     "its squares are not those of its distribution");
    check_again(reader, engine, done);
  }

 private:
  void check_again(const StateReader& reader, PathEngine& engine,
                   std::span<const Vertex> done) const {
    if (done.empty()) return;
    Bins own;
    engine.rows(any_of(done, 1), Along::arcs,
                [&](Vertex, std::span<const Length> distances) { own.add(distances, longest_); });
    for (std::size_t i = 0; i < kMostBins; ++i)
      reader.require(own.pairs_[i] <= pairs_[i],
                     "a source has more pairs in a bin than all of them");
  }

  void widen(Length longest) {
    longest_ = std::max(longest_, longest);
    for (; longest_ >> shift_ >= kMostBins; ++shift_) {
      for (std::size_t i = 0; i < kMostBins / 2; ++i) pairs_[i] = pairs_[2 * i] + pairs_[2 * i + 1];
      std::fill(pairs_.begin() + kMostBins / 2, pairs_.begin() + kMostBins, 0);
    }
  }

  int shift_ = 0;
  Length longest_ = 0;
  std::vector<std::uint64_t> pairs_ = std::vector<std::uint64_t>(kMostBins + 1, 0);
  LengthSum squares_ = 0;
};

class Averaging {
 public:
  Averaging(PathEngine& engine, const PathAverageOptions& options)
      : engine_(engine), spread_(options.spread), sources_(engine.graph().order()) {
    std::iota(sources_.begin(), sources_.end(), Vertex{0});
    if (options.samples > 0 && options.samples < sources_.size())
      sources_ = draw_sample(std::move(sources_), options.samples, options.seed);
  }

  std::span<const Vertex> sources() const { return sources_; }
  Vertex done() const { return static_cast<Vertex>(sums_.size()); }

  void add(std::span<const Vertex> part) {
    if (spread_ == Spread::none) return sums_.add(engine_.summarize(part, Along::arcs));
    Bins bins;  // an interrupted request leaves nothing behind
    const auto found = visit_rows(engine_, part, [&](std::size_t, std::span<const Length> row) {
      Length longest = 0;
      for (const Length distance : row)
        longest = std::max(longest, distance == kNoPath ? 0 : distance);
      bins.add(row, longest);
    });
    sums_.add(found);
    bins_.add(bins);
  }

  std::vector<unsigned char> state() const {
    StateWriter writer;
    sums_.put(writer);
    if (spread_ == Spread::distribution) bins_.put(writer);
    return writer.sealed();
  }

  void restore(const std::vector<unsigned char>& kept) {
    StateReader reader(kept);
    sums_.get(reader);
    if (spread_ == Spread::distribution) bins_.get(reader);
    reader.finish();
    sums_.check(reader, engine_, sources_);
    if (spread_ == Spread::distribution)
      bins_.check(reader, sums_, engine_, std::span(sources_).first(done()));
  }

  void finish(PathAverage& result) const {
    const Graph& graph = engine_.graph();
    result.sources = done();
    std::vector<SampledSource> sampled;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      result.sum += sums_.sum[i];
      result.reachable += sums_.reached[i] - 1;
      result.longest = std::max(result.longest, sums_.eccentricity[i]);
      if (result.sampled)
        sampled.push_back({static_cast<double>(sums_.sum[i]), sums_.reached[i] - 1.0});
    }
    result.unreachable =
        std::uint64_t{result.sources} * (graph.order() - std::uint64_t{1}) - result.reachable;
    result.shortest = shortest();
    if (spread_ == Spread::distribution) result.distribution = bins_.distribution();
    if (result.sampled) result.error = ratio_error(sampled, graph.order(), result.mean());
  }

 private:
  // No other vertex is nearer than the end of the shortest arc.
  Length shortest() const {
    const Adjacency adjacency = engine_.graph().adjacency();
    Length result = kNoPath;
    for (const Vertex v : std::span(sources_).first(done()))
      for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc)
        result = std::min(result, adjacency.length(arc));
    return result == kNoPath ? 0 : result;
  }

  PathEngine& engine_;
  Spread spread_;
  std::vector<Vertex> sources_;
  PathSums sums_;
  Bins bins_;
};

}  // namespace

PathAverage average(PathEngine& engine, const PathAverageOptions& options, Observer& observer,
                    CheckpointStore& checkpoint) {
  constexpr std::uint64_t kSource = 28 + 4;
  const Vertex order = engine.graph().order();
  if (order == 0) throw UsageError("the average distance of a graph without vertices is undefined");
  refuse_bytes(order * kSource, "the average distance of this graph");
  PathAverage result;
  result.sampled = options.samples > 0 && options.samples < order;
  Averaging averaging(engine, options);
  if (const auto kept = checkpoint.load(); !kept.empty()) averaging.restore(kept);
  Vertex done = averaging.done();
  result.finished = for_chunks(
      engine, averaging.sources(), engine.costs().batch, done, observer, checkpoint,
      [&](std::size_t, std::span<const Vertex> part) { averaging.add(part); },
      [&] { checkpoint.save(averaging.state()); });
  averaging.finish(result);
  return result;
}

}  // namespace antipode
