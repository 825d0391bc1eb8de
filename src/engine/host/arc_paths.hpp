// A path engine for edges of length 1, on top of any engine.
#pragma once

#include <functional>
#include <memory>

#include "antipode/path_engine.hpp"

namespace antipode::host {

using EngineMaker = std::function<std::unique_ptr<Engine>(const Graph& graph)>;

std::unique_ptr<PathEngine> arc_paths(const Graph& graph, EngineMaker make);

}  // namespace antipode::host
