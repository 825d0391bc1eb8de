// The CUDA engine: one graph resident on one NVIDIA GPU. This header sees no CUDA; nothing else
// outside this room may.
#pragma once

#include <memory>

#include "antipode/engine.hpp"
#include "engine/cuda/device/allocation.hpp"
#include "engine/cuda/golf/engines.hpp"

namespace antipode::cuda {

std::unique_ptr<Engine> make_engine(const Graph& graph, const EngineOptions& options);
EngineInfo info();

}  // namespace antipode::cuda
