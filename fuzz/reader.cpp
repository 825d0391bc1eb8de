// One fuzz target per reader: any bytes give a graph, with and without lengths and directions, or a
// clean error. ANTIPODE_FUZZ_FORMAT names
// the reader; "auto" also covers detection and decompression.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/limits.hpp"

namespace {

using namespace antipode;

// Sorted adjacencies without loops; an edge has one length at both ends.
void check(const Graph& graph, const Adjacency& adjacency) {
  for (Vertex v = 0; v < graph.order(); ++v)
    for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc) {
      const Vertex u = adjacency.targets[arc];
      if (u >= graph.order() || u == v) __builtin_trap();
      if (arc > adjacency.offsets[v] && adjacency.targets[arc - 1] >= u) __builtin_trap();
      if (graph.is_directed()) continue;
      const auto back = adjacency.neighbors(u);
      const auto at = std::lower_bound(back.begin(), back.end(), v);
      if (at == back.end() || *at != v) __builtin_trap();
      const auto other = adjacency.offsets[u] + static_cast<EdgeOffset>(at - back.begin());
      if (adjacency.length(arc) != adjacency.length(other)) __builtin_trap();
    }
}

void read(std::string_view bytes, Lengths lengths, Direction direction) {
  try {
    const auto loaded = parse_graph("fuzz", bytes,
                                    LoadOptions{.format = ANTIPODE_FUZZ_FORMAT,
                                                .direction = direction,
                                                .columns = {},
                                                .lengths = lengths});
    const Graph& graph = loaded.graph;
    if (graph.has_lengths() != (lengths == Lengths::used)) __builtin_trap();
    if (graph.is_directed() != (direction == Direction::forward)) __builtin_trap();
    check(graph, graph.adjacency());
    check(graph, graph.into().adjacency());
    for (const Length length : graph.adjacency().lengths)
      if (to_text(length, graph.unit()).empty()) __builtin_trap();
    if (graph.order() > 0 && graph.label(graph.order() - 1).size() > bytes.size() + 20)
      __builtin_trap();
  } catch (const InputError&) {
  } catch (const DeviceError&) {  // beyond the memory limit
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  antipode::set_threads(1);
  antipode::set_memory_limit(antipode::resident_memory() + (std::uint64_t{64} << 20));
  for (const Lengths lengths : {Lengths::ignored, Lengths::used})
    for (const Direction direction : {Direction::none, Direction::forward})
      read({reinterpret_cast<const char*>(data), size}, lengths, direction);
  return 0;
}
