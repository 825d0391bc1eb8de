// Dependencies of batches: memory, launches, and what is left to the host.
#include "engine/opencl/dependencies.hpp"

#include <algorithm>

#include "antipode/error.hpp"

namespace antipode::opencl {

DependencyBatches::DependencyBatches(const Context& context, const DeviceGraph& graph,
                                     std::uint64_t room, std::function<bool()> interrupted)
    : context_(context), graph_(graph), room_(room), interrupted_(std::move(interrupted)) {}

// Number of groups for which there is memory. The largest buffer has 8 bytes per vertex (or arc)
// and group, and must not exceed what the device allows. Weights and totals are of fixed size.
std::size_t DependencyBatches::groups(bool with_arcs) const {
  const Device& device = context_.device();
  const std::uint64_t order = graph_.order(), arcs = graph_.host().arcs(),
                      widest = 8 * std::max<std::uint64_t>({order, with_arcs ? arcs : 0, 1});
  const std::uint64_t fixed = 16 * order + (with_arcs ? 8 * arcs : 0),
                      group = (with_arcs ? kGroupWithArcs : kGroup).bytes(graph_.order() + 2, arcs);
  return static_cast<std::size_t>(
      std::min<std::uint64_t>({room_ < fixed ? 0 : (room_ - fixed) / group,
                               device.largest_buffer / widest, most_groups(device)}));
}

bool DependencyBatches::fits(bool with_arcs) const {
  return context_.device().has_doubles && groups(with_arcs) > 0;
}

// The buffers of a request: `count` groups, each with arrays over the vertices (and the arcs).
struct DependencyBatches::Memory {
  Memory(const Context& context, std::size_t count, std::size_t order, std::size_t arcs,
         std::span<const double> source_weights, const Dependencies& sums)
      : distances(context, count * order),
        paths(context, count * order),
        shares(context, count * order),
        vertices(context, count * order),
        along(context, count * arcs),
        weights(context, source_weights),
        queues(context, count * order),
        starts(context, count * (order + 2)),
        vertex_totals(context, sums.vertices),
        arc_totals(context, sums.arcs) {}
  void download(Dependencies& sums) const {
    vertex_totals.download(sums.vertices);
    arc_totals.download(sums.arcs);
  }
  void upload(const Dependencies& sums) const {
    vertex_totals.upload(sums.vertices);
    arc_totals.upload(sums.arcs);
  }

  Buffer<Distance> distances;
  Buffer<double> paths, shares, vertices, along, weights;
  Buffer<Vertex> queues;
  Buffer<std::uint32_t> starts;
  Buffer<double> vertex_totals, arc_totals;
};

// Adds the sums of the groups first to last - 1 to the totals, in this order.
void DependencyBatches::add_up(const Memory& memory, std::size_t first, std::size_t last) const {
  if (first == last) return;
  const auto run = [&](const Buffer<double>& parts, const Buffer<double>& totals) {
    program_->run("add_up", Range::over(std::min<std::size_t>(totals.size(), 1 << 20)), parts,
                  totals, std::uint64_t{totals.size()}, static_cast<std::uint32_t>(first),
                  static_cast<std::uint32_t>(last));
  };
  run(memory.vertices, memory.vertex_totals);
  run(memory.along, memory.arc_totals);
}

// Runs one batch, with a group for every `block` sources. Returns for each source whether it has
// too many paths.
std::vector<unsigned char> DependencyBatches::run(const Memory& memory,
                                                  std::span<const Vertex> batch,
                                                  std::uint32_t block, bool with_arcs) const {
  const std::size_t blocks = (batch.size() + block - 1) / block,
                    items = context_.device().is_cpu
                                ? 1
                                : std::min<std::size_t>(512, program_->most_items("dependencies"));
  const Buffer<Vertex> list(context_, batch);
  const Buffer<unsigned char> too_many(context_, batch.size());
  program_->run("dependencies", {blocks * items, items}, graph_.adjacency().offsets,
                graph_.adjacency().targets, graph_.into().offsets, graph_.into().targets,
                memory.weights, list, static_cast<std::uint32_t>(batch.size()), block,
                memory.distances, memory.paths, memory.shares, memory.queues, memory.starts,
                memory.vertices, memory.along, too_many, graph_.order(),
                with_arcs ? graph_.host().arcs() : EdgeOffset{0},
                static_cast<std::uint32_t>(with_arcs));
  return too_many.values();
}

void DependencyBatches::add(std::span<const Vertex> sources, std::span<const double> weights,
                            Dependencies& sums, const OnHost& on_host) {
  if (!program_) program_.emplace(context_, "dependencies");
  const bool with_arcs = !sums.arcs.empty();
  const std::size_t count = groups(with_arcs);
  // Sources whose sums are added together; lists of sources are cut at multiples of 16.
  const std::uint32_t block = context_.device().is_cpu ? 16 : 4;
  const Memory memory(context_, count, graph_.order(), with_arcs ? graph_.host().arcs() : 0,
                      weights, sums);
  for (std::size_t begin = 0; begin < sources.size(); begin += count * block) {
    if (interrupted_()) throw Interrupted();
    const auto batch = sources.subspan(begin, std::min(count * block, sources.size() - begin));
    const std::vector<unsigned char> too_many = run(memory, batch, block, with_arcs);
    const std::size_t blocks = (batch.size() + block - 1) / block;
    std::size_t added = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::size_t size = std::min<std::size_t>(block, batch.size() - b * block);
      const auto flags = std::span(too_many).subspan(b * block, size);
      if (std::none_of(flags.begin(), flags.end(), [](unsigned char each) { return each != 0; }))
        continue;
      add_up(memory, added, b);  // the host adds this block in its turn
      added = b + 1;
      memory.download(sums);
      on_host(batch.subspan(b * block, size), sums);
      memory.upload(sums);
    }
    add_up(memory, added, blocks);
  }
  memory.download(sums);
}

}  // namespace antipode::opencl
