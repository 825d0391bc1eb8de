// One fuzz target per reader: any bytes give a graph or a clean error. ANTIPODE_FUZZ_FORMAT names
// the reader; "auto" also covers detection and decompression.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/limits.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  antipode::set_threads(1);
  antipode::set_memory_limit(antipode::resident_memory() + (std::uint64_t{64} << 20));
  try {
    const auto loaded = antipode::parse_graph("fuzz", {reinterpret_cast<const char*>(data), size},
                                              ANTIPODE_FUZZ_FORMAT);
    const antipode::Graph& graph = loaded.graph;
    for (antipode::Vertex v = 0; v < graph.order(); ++v)
      for (const antipode::Vertex u : graph.neighbors(v))
        if (u >= graph.order() || u == v) __builtin_trap();
    if (graph.order() > 0 && graph.label(graph.order() - 1).size() > size + 20) __builtin_trap();
  } catch (const antipode::InputError&) {
  } catch (const antipode::DeviceError&) {  // beyond the memory limit
  }
  return 0;
}
