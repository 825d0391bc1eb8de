// Where the searches of a wave start: one search from many sources, each of which starts at a level
// of its own. And those of the batches that the diameter's elimination has made so far.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode::host {

struct OffsetSource {
  Vertex source;
  Distance level;
};

class BatchOffsets {
 public:
  // The waves around the sources of one more batch, up to `limit`: over all candidates and over
  // those outside the ball.
  struct Waves {
    std::vector<OffsetSource> candidates, outside;
    bool is_new = false;  // what an earlier wave over candidates left is of no use: that beyond its
                          // limit was not followed
  };
  Waves next(std::span<const Vertex> sources, std::span<const FarthestDistance> farthest,
             Distance limit) {
    Waves waves;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      waves.candidates.push_back({sources[i], farthest[i].candidates});
      waves.outside.push_back({sources[i], farthest[i].outside});
    }
    waves.is_new = all_.empty() || limit != limit_;
    all_.insert(all_.end(), waves.candidates.begin(), waves.candidates.end());
    if (waves.is_new) waves.candidates = all_;
    limit_ = limit;
    return waves;
  }
  void clear() { all_.clear(); }

 private:
  std::vector<OffsetSource> all_;
  Distance limit_ = 0;
};

}  // namespace antipode::host
