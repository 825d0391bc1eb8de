// How far the mean of the distances from a sample of sources may be from that of all of them.
#pragma once

#include <optional>
#include <span>

#include "antipode/graph.hpp"

namespace antipode {

struct SampledSource {
  double sum = 0, others = 0;  // of its distances; how many other vertices it reaches
};

// Half a 95 % interval of the mean, which is a ratio of sums over sources drawn without repeats.
// The jackknife asks how the ratio changes without each of them: a source in a small component
// weighs little, and one that reaches nothing is none. Student's t allows for an estimated
// variance, and the share of misses is made smaller for few sources, since distance sums are
// skewed: for a skewness of 1 the interval misses about twice as often from five sources.  [Efron
// 1982; Hall 1987]  Sources that are all alike do not show how others differ. If a few make most of
// the difference, the sample does not show how many such sources there are. Neither gives an
// interval.
std::optional<double> ratio_error(std::span<const SampledSource> sources, Vertex order,
                                  double mean);

}  // namespace antipode
