// Arcs with lengths as a search reads them: target and length side by side. A narrow one takes 8
// bytes per arc and 4 per vertex, and holds distances below 2^31; a wide one 16 and 8.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "antipode/graph.hpp"
#include "graph/buffer.hpp"
#include "graph/limits.hpp"

namespace antipode::cpu {

struct Narrow {
  using Key = std::uint32_t;
  using Offset = std::uint32_t;
};
struct Wide {
  using Key = std::uint64_t;
  using Offset = std::uint64_t;
};

template <class Width>
inline constexpr typename Width::Key kNoKey = std::numeric_limits<typename Width::Key>::max();
// Keys below this can be extended by any arc without overflow.
template <class Width>
inline constexpr typename Width::Key kKeyLimit = kNoKey<Width> / 2 + 1;

template <class Width>
class PackedArcs {
 public:
  using Key = typename Width::Key;
  using Offset = typename Width::Offset;
  struct Arc {
    Vertex target;
    Key length;
  };

  // Whether every arc has room. Distances may still be too large: a search finds out.
  static bool fits(const Adjacency& adjacency, Length longest) {
    return longest < kKeyLimit<Width> && adjacency.arcs() < std::numeric_limits<Offset>::max();
  }

  explicit PackedArcs(const Adjacency& adjacency)
      : offsets_(charged(adjacency) + 1), arcs_(adjacency.arcs()) {
    for (std::size_t v = 0; v < offsets_.size(); ++v)
      offsets_[v] = static_cast<Offset>(adjacency.offsets[v]);
    for (EdgeOffset arc = 0; arc < adjacency.arcs(); ++arc)
      arcs_[arc] = {adjacency.targets[arc], static_cast<Key>(adjacency.length(arc))};
  }

  Vertex order() const { return static_cast<Vertex>(offsets_.size() - 1); }
  std::span<const Arc> of(Vertex v) const {
    return {arcs_.begin() + offsets_[v], arcs_.begin() + offsets_[std::size_t{v} + 1]};
  }
  const Offset* offsets() const { return offsets_.begin(); }
  const Arc* arcs() const { return arcs_.begin(); }
  std::size_t size() const { return arcs_.size(); }

 private:
  static std::size_t charged(const Adjacency& adjacency) {
    refuse_bytes(adjacency.arcs() * sizeof(Arc) + (adjacency.order() + 1ULL) * sizeof(Offset),
                 "a search with lengths");
    return adjacency.order();
  }

  Buffer<Offset> offsets_;
  Buffer<Arc> arcs_;
};

}  // namespace antipode::cpu
