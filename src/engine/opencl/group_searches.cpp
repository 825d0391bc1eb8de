// Batches by work-groups: which graphs suit them, and their launch.
#include "engine/opencl/group_searches.hpp"

#include <algorithm>

namespace antipode::opencl {

namespace {

constexpr Vertex kMostDegree = 64, kMostMeanDegree = 8, kPacked = 8;
constexpr std::uint64_t kLeastRing = 1024, kMostRing = 8192;  // entries
constexpr std::uint64_t kOwn = 64;  // bytes of local memory for the kernel's other variables

std::uint64_t marks_of(const Graph& graph) { return graph.order() / 32 + 1; }

std::uint64_t ring_of(const Graph& graph, const Device& device) {
  const std::uint64_t words = device.local_memory / 4, taken = marks_of(graph) + kOwn / 4;
  return words < taken ? 0 : std::min(kMostRing, words - taken);
}

Buffer<Vertex> pack_neighbours(const Context& context, const Graph& graph) {
  std::vector<Vertex> packed(std::size_t{graph.order()} * kPacked, kNoVertex);
  for (Vertex v = 0; v < graph.order(); ++v) {
    const auto neighbours = graph.neighbors(v);
    std::copy_n(neighbours.begin(), std::min<std::size_t>(neighbours.size(), kPacked),
                packed.begin() + static_cast<std::ptrdiff_t>(std::size_t{v} * kPacked));
  }
  return {context, packed};
}

}  // namespace

bool GroupSearches::suits(const Graph& graph, const Device& device) {
  if (device.is_cpu || graph.order() == 0 ||
      graph.arcs() > std::uint64_t{kMostMeanDegree} * graph.order() ||
      ring_of(graph, device) < kLeastRing)
    return false;
  for (Vertex v = 0; v < graph.order(); ++v)
    if (graph.degree(v) > kMostDegree) return false;
  return true;
}

GroupSearches::GroupSearches(const Context& context, const DeviceGraph& graph)
    : context_(context),
      graph_(graph),
      program_(context, "group"),
      packed_(pack_neighbours(context, graph.host())),
      next_source_(context, 1),
      no_flags_(context, 1),
      no_lower_(context, 1) {}

std::vector<GroupResult> GroupSearches::search(std::span<const Vertex> sources,
                                               const FarthestRequest& request) {
  static_assert(sizeof(GroupResult) == 32);  // as in group.cl
  const Device& device = context_.device();
  const auto marks = static_cast<std::uint32_t>(marks_of(graph_.host())),
             ring = static_cast<std::uint32_t>(ring_of(graph_.host(), device));
  const std::size_t items = std::min<std::size_t>(256, program_.most_items("group_search")),
                    groups = std::min<std::size_t>(sources.size(), std::size_t{device.units} * 8);
  const Buffer<Vertex> list(context_, sources);
  const Buffer<GroupResult> results(context_, sources.size());
  next_source_.fill(0);
  program_.run("group_search", {groups * items, items}, packed_, graph_.adjacency().offsets,
               graph_.adjacency().targets, list, static_cast<std::uint32_t>(sources.size()),
               next_source_, results, request.flags != nullptr ? *request.flags : no_flags_,
               request.lower != nullptr ? *request.lower : no_lower_,
               std::uint32_t{request.flags != nullptr}, std::uint32_t{request.lower != nullptr},
               graph_.order(), Local{(std::size_t{marks} + ring) * 4}, marks, ring);
  auto found = results.values();
  if (std::any_of(found.begin(), found.end(),
                  [](const GroupResult& each) { return each.overflow != 0; }))
    found.clear();
  return found;
}

}  // namespace antipode::opencl
