// The OpenCL engine: one graph resident on one device of any vendor. This header sees no OpenCL;
// nothing else outside this room may.
#pragma once

#include <memory>

#include "engine/host/edge_search.hpp"
#include "engine/host/part_searches.hpp"

namespace antipode::opencl {

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options);
EngineInfo info();
std::unique_ptr<PartSearches> make_part_searches(const golf::Part& part,
                                                 const EngineOptions& options);
Footprint footprint(ThesisTask task);
std::unique_ptr<EdgeSearches> make_edge_searches(const std::string& device, Vertex order,
                                                 std::span<const Edge> edges,
                                                 std::function<bool()> interrupted);

}  // namespace antipode::opencl
