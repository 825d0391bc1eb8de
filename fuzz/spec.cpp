// Fuzz target for "gen:" specs without the "gen:": any text gives a graph within the memory limit
// or a clean error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "antipode/error.hpp"
#include "antipode/graph.hpp"
#include "graph/limits.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  antipode::set_threads(1);
  antipode::set_memory_limit(antipode::resident_memory() + (std::uint64_t{64} << 20));
  try {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    for (const auto direction : {antipode::Direction::none, antipode::Direction::forward}) {
      const antipode::Graph graph = antipode::generate(text, direction).graph;
      for (antipode::Vertex v = 0; v < graph.order(); ++v)
        for (const antipode::Vertex u : graph.neighbors(v))
          if (u >= graph.order() || u == v) __builtin_trap();
    }
  } catch (const antipode::UsageError&) {
  } catch (const antipode::DeviceError&) {  // beyond the memory limit
  }
  return 0;
}
