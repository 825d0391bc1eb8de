// Sources that stand for others when only the distribution of distances is wanted;
// docs/definitions.md, "Average distance". In a pendant tree of a vertex r, at most kDeep deep,
// distances follow from those of r; vertices with the same neighbours have the same ones.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode {

inline constexpr std::size_t kDeep = std::tuple_size_v<Multiplicities> - 1;

struct FoldedSources {
  using Weights = Multiplicities;  // [k]: so many vertices have the source's distances, each k more
  using Correction = std::array<std::int64_t, 2 * kDeep + 3>;  // pairs, at distances 0, 1, …

  std::vector<Vertex> sources;
  std::size_t alone = 0;                // the first of them, which stand for no other vertex
  std::vector<Weights> weights;         // of each source
  std::vector<Correction> corrections;  // of the others: what is on top of that

  std::uint64_t multiplicity(std::size_t i) const;  // by sources[i], itself included
  std::uint64_t neighbors(const Graph& graph, std::size_t i) const;  // of all these together
  // What sources [begin, end) stand for, from their weighted distribution.
  void add(std::size_t begin, std::size_t end, const std::vector<std::uint64_t>& counts,
           std::vector<std::uint64_t>& pairs) const;
};

FoldedSources folded_sources(const Graph& graph);

}  // namespace antipode
