// Dependencies on shortest paths with lengths, one source at a time: a search by a heap that counts
// paths, and a backward pass in the reverse order. [Brandes 2001] For all graphs, and for sources
// with more paths than a double counts. Lengths are positive. Memory: 40 bytes a vertex, and 24
// more if path counts are huge.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "antipode/engine.hpp"

namespace antipode::host {

class LengthBrandes {
 public:
  explicit LengthBrandes(const Graph& graph);
  ~LengthBrandes();
  LengthBrandes(LengthBrandes&&) noexcept;
  // Adds what the source sends, along the arcs; `weights` of all vertices.
  void add(Vertex source, std::span<const double> weights, Dependencies& sums,
           const std::function<bool()>& interrupted);

 private:
  struct Arrays;
  std::unique_ptr<Arrays> arrays_;
};

}  // namespace antipode::host
