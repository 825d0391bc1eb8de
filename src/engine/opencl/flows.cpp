#include "engine/opencl/flows.hpp"

#include <algorithm>

#include "antipode/error.hpp"

namespace antipode::opencl {

Flows::Flows(const Context& context, const DeviceGraph& graph, std::uint64_t room, std::function<bool()> interrupted) : context_(context), graph_(graph), room_(room), interrupted_(std::move(interrupted)) {}

// No buffer may outgrow what the device allows; the largest has 8 bytes a vertex or arc and group.
std::size_t Flows::groups(bool with_arcs) const {
  const Device& device = context_.device();
  const std::uint64_t widest = 8 * std::max<std::uint64_t>({graph_.order(), with_arcs ? graph_.host().arcs() : 0, 1});
  const std::uint64_t group = (with_arcs ? kGroupWithArcs : kGroup).bytes(graph_.order() + 2, graph_.host().arcs());
  return static_cast<std::size_t>(std::min<std::uint64_t>({room_ / group, device.largest_buffer / widest, most_groups(device)}));
}

bool Flows::fits(bool with_arcs) const { return context_.device().has_doubles && groups(with_arcs) > 0; }

std::vector<Vertex> Flows::add(std::span<const Vertex> sources, std::span<const double> weights, Flow& flow) {
  if (!program_) program_.emplace(context_, "flow");
  const bool with_arcs = !flow.arcs.empty();
  const Vertex order = graph_.order();
  const std::size_t count = groups(with_arcs), items = context_.device().is_cpu ? 1 : std::min<std::size_t>(512, context_.device().most_items);
  const EdgeOffset arcs = with_arcs ? graph_.host().arcs() : 0;
  const Buffer<Distance> rows(context_, count * order);
  const Buffer<double> paths(context_, count * order), shares(context_, count * order), vertices(context_, count * order), along(context_, count * arcs), weight(context_, weights);
  const Buffer<Vertex> queues(context_, count * order);
  const Buffer<std::uint32_t> starts(context_, count * (std::size_t{order} + 2));
  vertices.fill(0);
  along.fill(0);
  std::vector<Vertex> left;
  // A launch cannot be interrupted: it gets a few sources a group.
  const std::size_t at_once = count * std::clamp<std::size_t>(std::size_t{1} << 24 >> std::bit_width(graph_.host().arcs() / 64), 1, 256);
  for (std::size_t begin = 0; begin < sources.size(); begin += at_once) {
    if (interrupted_()) throw Interrupted();
    const auto part = sources.subspan(begin, std::min(at_once, sources.size() - begin));
    const Buffer<Vertex> list(context_, part);
    const Buffer<unsigned char> too_many(context_, part.size());
    program_->run("flow", {count * items, items}, graph_.rows().offsets, graph_.rows().targets, graph_.into().offsets, graph_.into().targets, weight, list, static_cast<std::uint32_t>(part.size()), rows, paths, shares, queues, starts, vertices, along, too_many, order, arcs, static_cast<std::uint32_t>(with_arcs));
    const auto gave_up = too_many.values();
    for (std::size_t i = 0; i < part.size(); ++i)
      if (gave_up[i] != 0) left.push_back(part[i]);
  }
  const auto add_up = [&](const Buffer<double>& parts, std::vector<double>& totals) {
    if (totals.empty()) return;
    const Buffer<double> sums(context_, totals.size());
    program_->run("add_up", Range::over(std::min<std::size_t>(totals.size(), 1 << 20)), parts, sums, std::uint64_t{totals.size()}, static_cast<std::uint32_t>(count));
    const auto here = sums.values();
    for (std::size_t i = 0; i < totals.size(); ++i) totals[i] += here[i];
  };
  add_up(vertices, flow.vertices);
  add_up(along, flow.arcs);
  return left;
}

}  // namespace antipode::opencl
