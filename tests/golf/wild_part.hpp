#pragma once

#include <random>

#include "antipode/golf.hpp"

namespace antipode::testing {

// Any edges, with loops that lead back by themselves among them.
inline golf::Part wild_part(Vertex size, std::vector<Vertex> group, std::size_t edges,
                            std::mt19937& random) {
  Vertex shifts = 1;
  for (const Vertex factor : group) shifts *= factor;
  golf::Part part = golf::make_part(size * shifts, size, group);
  while (part.edges.size() < edges) {
    const golf::PartEdge edge{static_cast<Vertex>(random() % size),
                              static_cast<Vertex>(random() % size),
                              static_cast<Vertex>(random() % shifts)};
    if (edge.from != edge.to || edge.shift != 0)
      part.edges.push_back(edge);
    else if (size == 1 && shifts == 1)
      break;
  }
  return part;
}

}  // namespace antipode::testing
