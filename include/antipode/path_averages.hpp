// Average distance, closeness and betweenness where edges have lengths, with or without directions.
// A distance counts where there is a path, and is a whole number of the graph's unit
// (Graph::unit()). Definitions: docs/paths.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "antipode/measures.hpp"
#include "antipode/path_engine.hpp"

namespace antipode {

// The distribution takes all distances, and so several times as long as their sums do.
enum class Spread { none, distribution };

struct PathAverageOptions {
  std::size_t samples = 0;  // 0: all sources, exactly. Otherwise so many drawn without repeats
  std::uint64_t seed = 1;
  Spread spread = Spread::none;
};

// All counts are of ordered pairs of different vertices whose first is one of the sources.
struct PathAverage {
  struct Range {
    Length least = 0, most = 0;
  };
  struct Distribution {
    // The least power of two that makes no more than 2048 bins.
    Length width = 1;
    std::vector<std::uint64_t> pairs;  // [i]: at distances i × width … (i + 1) × width - 1
    LengthSum squares = 0;             // of distances, summed; modulo 2^128
  };

  LengthSum sum = 0;
  std::uint64_t reachable = 0, unreachable = 0;
  Length shortest = 0, longest = 0;  // of the distances counted
  std::optional<Distribution> distribution;
  Vertex sources = 0;  // counted: all of them, unless sampled or stopped
  bool sampled = false, finished = false;
  bool exact() const { return finished && !sampled; }
  std::optional<double> error;  // as Average::error

  double mean() const;
  // Nothing without a distribution, nor where 128 bits do not hold the sum of the squares.
  std::optional<double> variance() const;
  // The least distance within which this share of the reachable pairs lie is in this range, which
  // is one bin wide at most. Of a distribution with pairs.
  Range quantile(double share) const;
};
PathAverage average(PathEngine& engine, const PathAverageOptions& options, Observer& observer,
                    CheckpointStore& checkpoint);

enum class ClosenessFormula { wasserman_faust, classic, harmonic };

// How near every vertex is to those it reaches. Of n vertices v reaches r others, at distances that
// sum to s: classic r / s, by Wasserman and Faust (r / s) (r / (n - 1)); 0 if s = 0. Harmonic: the
// sum of 1 / distance; others at distance 0 do not count.
struct PathCloseness {
  ClosenessFormula formula = ClosenessFormula::wasserman_faust;
  LengthUnit unit;
  // Of the vertices in their order, as far as it came:
  std::vector<Vertex> reached;  // itself included
  std::vector<LengthSum> sum;
  std::vector<Length> eccentricity;
  std::vector<double> inverse_sum;  // harmonic
  Vertex order = 0;                 // of the graph
  bool finished = false;

  Vertex sources() const { return static_cast<Vertex>(reached.size()); }
  double value(Vertex v) const;  // one by the unit of the file
};
PathCloseness closeness(PathEngine& engine, ClosenessFormula formula, Observer& observer,
                        CheckpointStore& checkpoint);

// As betweenness of an Engine. Every edge must be longer than 0, or shortest paths cannot be
// counted: UsageError names an edge that is not. Lengths are whole numbers, so that paths of equal
// length are told exactly.
Betweenness betweenness(PathEngine& engine, const Core& core, const BetweennessOptions& options,
                        Observer& observer, CheckpointStore& checkpoint);

}  // namespace antipode
