// ECL's binary graphs (.egr): order and arcs, order + 1 offsets, the targets, optional weights;
// 32-bit signed numbers, ids from 0.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "io/formats.hpp"

namespace antipode {

namespace {

constexpr std::uint64_t kPiece = 1 << 20;

// `count` numbers in pieces, so that a wrong header is found before memory is allocated for it.
std::vector<std::int32_t> read_numbers(Input& input, std::uint64_t count, const char* what) {
  std::vector<std::int32_t> numbers;
  while (numbers.size() < count) {
    const std::size_t have = numbers.size(), want = std::min(kPiece, count - have);
    if (have == kPiece) {
      refuse_bytes((count - have) * sizeof(std::int32_t), input.name());
      numbers.reserve(count);
    }
    numbers.resize(have + want);
    if (input.bytes(reinterpret_cast<char*>(numbers.data() + have), want * 4) != want * 4)
      throw InputError(
          input.name(),
          fmt::format("the {} end too early: the file is truncated, or no .egr file", what));
  }
  return numbers;
}

// After the graph there is nothing, or a length for every arc: other bytes are of no .egr file.
void read_lengths(Input& input, std::uint64_t arcs, ParsedGraph& graph) {
  const bool is_used = input.lengths() == Lengths::used;
  if (is_used) refuse_bytes(arcs * (sizeof(std::int32_t) + sizeof(Decimal)), input.name());
  std::vector<char> piece(std::min(kPiece, arcs * 4 + 1)), bytes;
  std::uint64_t rest = 0;
  while (const std::size_t got = input.bytes(piece.data(), piece.size())) {
    rest += got;
    stop_if_asked();
    if (rest > arcs * 4) break;
    if (is_used)
      bytes.insert(bytes.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got));
  }
  if (rest != 0 && rest != arcs * 4)
    throw InputError(
        input.name(),
        fmt::format("{} after the graph: neither nothing nor a weight of each of {} "
                    "arcs; no .egr file, or a damaged one",
                    rest > arcs * 4 ? "more bytes" : fmt::format("{} bytes", rest), arcs));
  graph.has_lengths = rest > 0;
  if (!is_used || rest == 0) return;
  auto& list = graph.lengths.emplace_back(arcs);
  for (std::size_t i = 0; i < arcs; ++i) {
    std::int32_t length = 0;
    std::memcpy(&length, bytes.data() + 4 * i, sizeof length);
    if (length < 0)
      throw InputError(input.name(), fmt::format("the length '{}' is negative", length));
    list[i] = {static_cast<std::uint64_t>(length), 0};
  }
}

}  // namespace

ParsedGraph read_egr(Input& input) {
  const auto sizes = read_numbers(input, 2, "sizes");
  if (sizes[0] < 0 || sizes[1] < 0)
    throw InputError(input.name(),
                     fmt::format("{} vertices and {} arcs: no .egr file", sizes[0], sizes[1]));
  const Vertex order = static_cast<Vertex>(sizes[0]);
  const auto offsets = read_numbers(input, std::uint64_t{order} + 1, "offsets");
  if (offsets.front() != 0 || offsets.back() != sizes[1] ||
      !std::is_sorted(offsets.begin(), offsets.end()))
    throw InputError(
        input.name(),
        fmt::format("the offsets do not rise from 0 to {}: no .egr file, or a damaged one",
                    sizes[1]));
  const auto targets = read_numbers(input, static_cast<std::uint64_t>(sizes[1]), "neighbour lists");

  ParsedGraph graph;
  std::vector<Edge> edges;
  refuse_bytes(targets.size() * sizeof(Edge), input.name());
  edges.reserve(targets.size());
  for (Vertex v = 0; v < order; ++v) {
    if (v % kPiece == 0) stop_if_asked();
    for (std::int32_t i = offsets[v]; i < offsets[v + 1]; ++i) {
      const std::int32_t u = targets[static_cast<std::size_t>(i)];
      if (u < 0 || static_cast<Vertex>(u) >= order)
        throw InputError(
            input.name(),
            fmt::format("neighbour {} of vertex {} in a graph of {} vertices", u, v, order));
      edges.push_back({v, static_cast<Vertex>(u)});
    }
  }
  graph.order = order;
  graph.edges.push_back(std::move(edges));
  graph.labels = Labels::sequential(0, order);
  graph.lists_both_ends = true;
  read_lengths(input, targets.size(), graph);
  graph.has_directions = true;
  return graph;
}

}  // namespace antipode
