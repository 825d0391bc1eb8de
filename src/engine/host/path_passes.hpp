// Dependencies of eight sources side by side on a hierarchy of paths: the climbs of all eight from
// their own places upwards, a pass down that ends every climb at the highest vertex of a path, and
// the same way back [Brandes 2001]. Distances and numbers of paths are doubles, those of the eight
// sources in one line; distances are whole and below 2^53, so exact. What passes an arc of the
// hierarchy is shared out among the arcs and vertices it stands for at the end, for several eights
// at once. Memory of a thread: 384 bytes a vertex and 8 an arc of the hierarchy.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "antipode/engine.hpp"
#include "engine/host/path_hierarchy.hpp"

namespace antipode::host {

class PathPasses {
 public:
  static constexpr std::size_t kLanes = 8;
  struct alignas(64) Lanes {
    std::array<double, kLanes> at;
    double& operator[](std::size_t l) { return at[l]; }
    double operator[](std::size_t l) const { return at[l]; }
  };

  explicit PathPasses(const PathHierarchy& hierarchy);
  static std::uint64_t bytes(const PathHierarchy& hierarchy);

  // At most kLanes sources; `weights` of all vertices. False if there are too many paths to count
  // with doubles: then nothing was added.
  bool add(std::span<const Vertex> sources, std::span<const double> weights);
  // Adds what was added to the sums of vertices and of arcs, and begins again.
  void finish(Dependencies& sums);

 private:
  void climb(std::span<const Vertex> sources);
  void begin_at(Vertex place);

  const PathHierarchy& hierarchy_;
  std::vector<Lanes> distances_, paths_, flow_;           // by place; then flow for each path
  std::vector<Lanes> up_distances_, up_paths_, up_flow_;  // of the climbs alone
  std::vector<unsigned char> is_climbed_;
  std::vector<Vertex> climbed_;  // places, the lowest first
  std::vector<double> arcs_;     // what passes, by number
  std::vector<double> inner_;    // what passes the vertex at a place
};

}  // namespace antipode::host
