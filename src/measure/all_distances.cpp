#include "measure/source_loop.hpp"

namespace antipode {

bool all_distances(Engine& engine, std::span<const Vertex> sources, Vertex& done,
                   const DistanceSink& sink, Observer& observer, CheckpointStore& checkpoint,
                   const std::function<void()>& save) {
  constexpr std::size_t kFirstPart = 64;
  return for_chunks(
      engine, sources, kFirstPart, done, observer, checkpoint,
      [&](std::size_t, std::span<const Vertex> part) { engine.distances(part, sink); }, save);
}

}  // namespace antipode
