// One by one, or many at once? A small model of what is left to do, in seconds measured in this
// very run: a search costs what the last ones cost, a batch what the last batch cost per lane.
// Before the first batch its cost is guessed from what batches cost this engine in general.
#pragma once

#include <chrono>

#include "antipode/engine.hpp"

namespace antipode {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

template <class Work>
double seconds_of(Work work) {
  const Stopwatch stopwatch;
  work();
  return stopwatch.seconds();
}

class CostModel {
 public:
  explicit CostModel(const BatchCosts& costs) : costs_(costs) {}
  void add_search(double seconds, Vertex outside);
  void add_batch(double seconds, std::size_t lanes, Vertex before, Vertex after);
  // Is a batch expected to finish sooner than single searches, with `outside` candidates left?
  bool batch_pays(Vertex outside, std::size_t batch_size, Distance levels) const;

 private:
  double batch_seconds(double lanes, Distance levels) const;

  BatchCosts costs_;
  double search_seconds_ = 0;  // a running mean
  double searches_ = 0;
  double lasting_ = 1;  // the share of candidates that survives a search, over the last two
  double outside_before_ = 0, outside_now_ = 0;
  double correction_ = 1;  // measured over guessed cost of a batch
  double removed_per_lane_ = 1;
  mutable Distance guessed_levels_ = 0;  // of the batch asked about last
};

}  // namespace antipode
