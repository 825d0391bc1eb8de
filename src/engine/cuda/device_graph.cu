#include "engine/cuda/device_graph.hpp"

namespace antipode::cuda {

DeviceGraph::DeviceGraph(const Context& context, const Graph& graph)
    : order_(graph.order()), arcs_(graph.arcs()), offsets_(graph.offsets().size()), targets_(graph.targets().size()) {
  context.upload(offsets_.data(), graph.offsets());
  context.upload(targets_.data(), graph.targets());
  context.finish();
}

}  // namespace antipode::cuda
