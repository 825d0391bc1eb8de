// What the CUDA engine offers for voltage graphs: annealing, and searches without adjacency. This
// header sees no CUDA.
#pragma once

#include <memory>

#include "antipode/engine.hpp"
#include "antipode/golf.hpp"
#include "engine/host/part_searches.hpp"

namespace antipode::cuda {

std::unique_ptr<golf::PartEngine> make_part_engine(unsigned threads);
std::unique_ptr<PartSearches> make_part_searches(const golf::Part& part,
                                                 const EngineOptions& options);

}  // namespace antipode::cuda
