// Searches with lengths on an NVIDIA GPU: summaries of many sources by passes over the folded
// graph. This header sees no CUDA.
#pragma once

#include <memory>

#include "antipode/path_engine.hpp"

namespace antipode::cuda {

// `host` answers what the GPU does not do faster: single searches, distances, directed graphs, and
// graphs that cannot be folded completely.
std::unique_ptr<PathEngine> make_path_engine(std::unique_ptr<PathEngine> host);

}  // namespace antipode::cuda
