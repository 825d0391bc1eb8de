// Searches with lengths by a heap [Dijkstra 1959]: simple, for engines without searches of their
// own.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "antipode/path_engine.hpp"

namespace antipode::host {

// `graph`: its adjacency is what is searched, so that `into()` searches against the arcs.
void search_by_heap(const Graph& graph, std::span<const PathStart> starts,
                    std::span<Length> distances, const std::function<bool()>& stop = nullptr);

PathSearch to_search(Vertex source, std::span<const Length> distances);

// `info`: of the engine that these searches stand in for.
std::unique_ptr<PathEngine> length_paths(const Graph& graph, EngineInfo info);

}  // namespace antipode::host
