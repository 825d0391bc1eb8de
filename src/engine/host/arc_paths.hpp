// A path engine for edges of length 1, on top of any engine.
#pragma once

#include <functional>
#include <memory>

#include "antipode/path_engine.hpp"

namespace antipode::host {

using EngineMaker = std::function<std::unique_ptr<Engine>(const Graph& graph)>;

// side_by_side: engines on the CPU search in both directions at the same time, on a thread each. A
// device takes one search after the other.
enum class Directions { in_turn, side_by_side };
std::unique_ptr<PathEngine> arc_paths(const Graph& graph, EngineMaker make,
                                      Directions directions = Directions::in_turn);

}  // namespace antipode::host
