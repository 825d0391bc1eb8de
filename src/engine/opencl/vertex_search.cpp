// Runs the kernels of vertex.cl level by level.
#include "engine/opencl/vertex_search.hpp"

#include <array>

#include "antipode/error.hpp"

namespace antipode::opencl {

void VertexSearch::run(Vertex source, const Buffer<Distance>& distances,
                       const std::function<bool()>& interrupted) {
  const Vertex order = graph_.order();
  constexpr std::array<unsigned char, 1> kYes{1};
  distances.fill(kUnreached, order);
  distances.upload(std::array<Distance, 1>{0}, source);
  for (const auto* buffer : {&mask_, &next_mask_, &visited_}) buffer->fill(0);
  mask_.upload(kYes, source);
  visited_.upload(kYes, source);
  do {
    if (interrupted()) throw Interrupted();
    goes_on_.fill(0);
    kernels_.run("expand", Range::over(order), graph_.adjacency().offsets,
                 graph_.adjacency().targets, mask_, next_mask_, visited_, distances, order);
    kernels_.run("advance", Range::over(order), mask_, next_mask_, visited_, goes_on_, order);
  } while (goes_on_.value(0) != 0);
}

}  // namespace antipode::opencl
