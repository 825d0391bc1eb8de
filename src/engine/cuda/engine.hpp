// The CUDA engine: one graph resident on one NVIDIA GPU. This header sees no CUDA; nothing else
// outside this room may.
#pragma once

#include <memory>

#include "antipode/engine.hpp"
#include "engine/host/part_searches.hpp"

namespace antipode::cuda {

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options);
EngineInfo info();
std::unique_ptr<PartEngine> make_part_engine(unsigned threads);
std::unique_ptr<PartSearches> make_part_searches(const Part& part, const EngineOptions& options);

// For tests: the allocation after the next `count` fails, once. Negative: none does. Returns
// allocations made so far.
std::uint64_t fail_allocation_after(std::int64_t count);

}  // namespace antipode::cuda
