// Sources of offset searches, each of which starts at a level of its own; and those of all batches
// that the elimination has made so far.
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
  // Offsets for the sources of one more batch, up to `limit`: by their farthest candidates, and by
  // the farthest of those outside the ball.
  struct Offsets {
    std::vector<OffsetSource> candidates, outside;
    bool is_new = false;  // values of earlier searches are invalid, since their limit was another
  };
  Offsets next(std::span<const Vertex> sources, std::span<const FarthestDistance> farthest,
               Distance limit) {
    Offsets offsets;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      offsets.candidates.push_back({sources[i], farthest[i].candidates});
      offsets.outside.push_back({sources[i], farthest[i].outside});
    }
    offsets.is_new = all_.empty() || limit != limit_;
    all_.insert(all_.end(), offsets.candidates.begin(), offsets.candidates.end());
    if (offsets.is_new) offsets.candidates = all_;
    limit_ = limit;
    return offsets;
  }
  void clear() { all_.clear(); }

 private:
  std::vector<OffsetSource> all_;
  Distance limit_ = 0;
};

}  // namespace antipode::host
