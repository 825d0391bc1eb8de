// Dependencies on shortest paths, one source at a time: a search that counts paths, and a backward
// pass that adds up. [Brandes 2001] Each thread has its own source; the sums of a few sources are
// added in the order of the sources. Path counts are doubles. A source with more paths than those
// hold (2^900) is searched again with numbers of wider exponent. So nothing overflows, and no term
// is lost. Memory: 28 bytes per vertex and thread, 24 more if path counts are huge.
#pragma once

#include <functional>

#include "antipode/engine.hpp"

namespace antipode::host {

void add_dependencies(const Graph& graph, int threads, std::span<const Vertex> sources,
                      Dependencies& sums, const std::function<bool()>& interrupted);

}  // namespace antipode::host
