// Dependencies on shortest paths, one source at a time: a search that counts paths, and the way
// back that adds them up. [Brandes 2001] A thread has a source of its own; the sums of a few
// sources are added in the order of the sources. Numbers of paths are doubles. A source with more
// than those can hold (2^900) is searched again with numbers that have an exponent of their own, so
// that nothing overflows and no term is lost. Memory: 28 bytes a vertex and thread, 24 more where
// numbers of paths are huge.
#pragma once

#include <functional>

#include "antipode/engine.hpp"

namespace antipode::host {

void add_dependencies(const Graph& graph, int threads, std::span<const Vertex> sources,
                      Dependencies& sums, const std::function<bool()>& interrupted);

}  // namespace antipode::host
