#include "engine/opencl/flows.hpp"

#include <algorithm>

#include "antipode/error.hpp"

namespace antipode::opencl {

Flows::Flows(const Context& context, const DeviceGraph& graph, std::uint64_t room,
             std::function<bool()> interrupted)
    : context_(context), graph_(graph), room_(room), interrupted_(std::move(interrupted)) {}

// No buffer may outgrow what the device allows; the largest has 8 bytes a vertex or arc and group.
// Weights and totals take some, too.
std::size_t Flows::groups(bool with_arcs) const {
  const Device& device = context_.device();
  const std::uint64_t order = graph_.order(), arcs = graph_.host().arcs(),
                      widest = 8 * std::max<std::uint64_t>({order, with_arcs ? arcs : 0, 1});
  const std::uint64_t fixed = 16 * order + (with_arcs ? 8 * arcs : 0),
                      group = (with_arcs ? kGroupWithArcs : kGroup).bytes(graph_.order() + 2, arcs);
  return static_cast<std::size_t>(
      std::min<std::uint64_t>({room_ < fixed ? 0 : (room_ - fixed) / group,
                               device.largest_buffer / widest, most_groups(device)}));
}

bool Flows::fits(bool with_arcs) const {
  return context_.device().has_doubles && groups(with_arcs) > 0;
}

void Flows::add(std::span<const Vertex> sources, std::span<const double> weights,
                Dependencies& flow, const OnHost& on_host) {
  if (!program_) program_.emplace(context_, "flow");
  const bool with_arcs = !flow.arcs.empty();
  const Vertex order = graph_.order();
  const bool is_cpu = context_.device().is_cpu;
  const std::size_t count = groups(with_arcs),
                    items = is_cpu ? 1 : std::min<std::size_t>(512, program_->most_items("flow"));
  const std::uint32_t block = is_cpu ? 16 : 4;  // sources whose sums are added as one: those who
                                                // cut a list of sources do so at multiples of 16
  const EdgeOffset arcs = with_arcs ? graph_.host().arcs() : 0;
  const Buffer<Distance> rows(context_, count * order);
  const Buffer<double> paths(context_, count * order), shares(context_, count * order),
      vertices(context_, count * order), along(context_, count * arcs), weight(context_, weights);
  const Buffer<Vertex> queues(context_, count * order);
  const Buffer<std::uint32_t> starts(context_, count * (std::size_t{order} + 2));
  const Buffer<double> vertex_totals(context_, flow.vertices), arc_totals(context_, flow.arcs);
  const auto add_up = [&](std::size_t first, std::size_t last) {
    const auto run = [&](const Buffer<double>& parts, const Buffer<double>& totals) {
      program_->run("add_up", Range::over(std::min<std::size_t>(totals.size(), 1 << 20)), parts,
                    totals, std::uint64_t{totals.size()}, static_cast<std::uint32_t>(first),
                    static_cast<std::uint32_t>(last));
    };
    if (first == last) return;
    run(vertices, vertex_totals);
    run(along, arc_totals);
  };
  for (std::size_t begin = 0; begin < sources.size(); begin += count * block) {
    if (interrupted_()) throw Interrupted();
    const auto part = sources.subspan(begin, std::min(count * block, sources.size() - begin));
    const std::size_t blocks = (part.size() + block - 1) / block;
    const Buffer<Vertex> list(context_, part);
    const Buffer<unsigned char> too_many(context_, part.size());
    program_->run("flow", {blocks * items, items}, graph_.rows().offsets, graph_.rows().targets,
                  graph_.into().offsets, graph_.into().targets, weight, list,
                  static_cast<std::uint32_t>(part.size()), block, rows, paths, shares, queues,
                  starts, vertices, along, too_many, order, arcs,
                  static_cast<std::uint32_t>(with_arcs));
    const auto gave_up = too_many.values();
    std::size_t added = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const auto mine =
          part.subspan(b * block, std::min<std::size_t>(block, part.size() - b * block));
      if (std::none_of(gave_up.begin() + static_cast<std::ptrdiff_t>(b * block),
                       gave_up.begin() + static_cast<std::ptrdiff_t>(b * block + mine.size()),
                       [](unsigned char each) { return each != 0; }))
        continue;
      add_up(added, b);  // a block with too many paths for a double is the host's, in its turn
      added = b + 1;
      vertex_totals.download(flow.vertices);
      arc_totals.download(flow.arcs);
      on_host(mine, flow);
      vertex_totals.upload(flow.vertices);
      arc_totals.upload(flow.arcs);
    }
    add_up(added, blocks);
    context_.finish();  // the list goes
  }
  vertex_totals.download(flow.vertices);
  arc_totals.download(flow.arcs);
}

}  // namespace antipode::opencl
