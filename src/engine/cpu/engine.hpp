// The CPU engine: threads of this machine. It is in every build.
#pragma once

#include <memory>
#include <string>

#include "antipode/engine.hpp"
#include "engine/host/part_searches.hpp"

namespace antipode::cpu {

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options);
EngineInfo info();
std::unique_ptr<golf::PartEngine> make_part_engine(unsigned threads);
std::unique_ptr<PartSearches> make_part_searches(const golf::Part& part,
                                                 const EngineOptions& options);

}  // namespace antipode::cpu
