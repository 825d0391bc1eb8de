// The reader of BVGraphs, whose three files are one input here: the properties, a zero, the number
// of bytes of the stream (16 bits, lower byte first), the stream, and the offsets, if any byte is
// left. Any bytes give sorted lists or a clean error, and offsets that are accepted change nothing.
#include "io/bvgraph.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "antipode/error.hpp"
#include "graph/limits.hpp"

namespace {

using namespace antipode;

PaddedBytes padded(std::string_view bytes) {
  PaddedBytes result(bytes.size());
  bytes.copy(reinterpret_cast<char*>(result.data()), bytes.size());
  return result;
}

BvFiles unpack(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  std::string_view rest = bytes.substr(std::min(end + 1, bytes.size()));
  std::size_t size = 0;
  for (int i = 0; i < 2 && !rest.empty(); ++i) {
    size |= std::size_t{static_cast<unsigned char>(rest[0])} << (8 * i);
    rest.remove_prefix(1);
  }
  const std::string_view graph = rest.substr(0, size), offsets = rest.substr(graph.size());
  BvFiles files{.name = "fuzz",
                .properties = std::string(bytes.substr(0, end)),
                .graph = padded(graph),
                .offsets = std::nullopt};
  if (!offsets.empty()) files.offsets = padded(offsets);
  return files;
}

void check(const ParsedGraph& graph) {
  for (const auto& piece : graph.edges)
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (piece[i].from >= graph.order || piece[i].to >= graph.order) __builtin_trap();
      if (i > 0 && piece[i - 1].from == piece[i].from && piece[i - 1].to >= piece[i].to)
        __builtin_trap();
      if (i > 0 && piece[i - 1].from > piece[i].from) __builtin_trap();
    }
}

bool are_equal(const ParsedGraph& a, const ParsedGraph& b) {
  const auto same = [](Edge x, Edge y) { return x.from == y.from && x.to == y.to; };
  return std::equal(a.edges.begin(), a.edges.end(), b.edges.begin(), b.edges.end(),
                    [&](const auto& x, const auto& y) {
                      return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
                    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  antipode::set_threads(1);
  antipode::set_memory_limit(antipode::resident_memory() + (std::uint64_t{64} << 20));
  try {
    BvFiles files = unpack({reinterpret_cast<const char*>(data), size});
    const ParsedGraph graph = parse_bvgraph(files);
    check(graph);
    if (!files.offsets) return 0;
    files.offsets.reset();
    if (!are_equal(parse_bvgraph(files), graph)) __builtin_trap();
  } catch (const InputError&) {
  } catch (const DeviceError&) {  // beyond the memory limit
  }
  return 0;
}
