// What bounds rest on: distances without direction, and a path between any two vertices. A measure
// that reasons by bounds asks for both before it concludes anything; its first search tells.
#pragma once

#include "antipode/engine.hpp"

namespace antipode {

// UsageError for a directed graph. `what` is what was asked for: "the diameter".
void require_undirected(const Graph& graph, std::string_view what);

// UsageError if a search from `source` did not reach all vertices. First removes the engine's
// interrupt condition, since the message takes another search.
void require_connected(Engine& engine, Vertex source, Vertex reached);
inline void require_connected(Engine& engine, const Search& search) {
  require_connected(engine, search.source, search.reached);
}

}  // namespace antipode
