// The CPU's path engine for graphs with lengths.
#pragma once

#include <memory>

#include "antipode/path_engine.hpp"

namespace antipode::cpu {

std::unique_ptr<PathEngine> make_path_engine(const Graph& graph, const EngineOptions& options);

}  // namespace antipode::cpu
