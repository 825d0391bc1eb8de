// graph6 and sparse6: a graph in one line of printable bytes, six bits each. graph6 has the upper
// triangle of the adjacency matrix, column by column. sparse6 (":") is a list of edges, each
// relative to the last. Vertices from 0. [McKay, formats.txt]
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "io/formats.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

constexpr unsigned kBits = 6;
constexpr std::uint64_t kCheck = 1 << 16;  // bits between two checks for an interrupt
constexpr char kFirst = 63, kLast = 126;

// The bits of a line from its first byte on, highest first.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t left() const { return bytes_.size() * kBits - used_; }
  bool next() {
    const auto value = static_cast<unsigned>(bytes_[used_ / kBits] - kFirst);
    return (value >> (kBits - 1 - used_++ % kBits) & 1) != 0;
  }
  std::uint64_t number(unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) value = value << 1 | (next() ? 1 : 0);
    return value;
  }

 private:
  std::string_view bytes_;
  std::uint64_t used_ = 0;
};

// Reads and removes the order: one byte, or '~' and three, or "~~" and six.
std::uint64_t take_order(std::string_view& line) {
  const std::size_t marks = line.starts_with("~~") ? 2 : line.starts_with('~') ? 1 : 0;
  const std::size_t bytes = marks == 0 ? 1 : marks == 1 ? 3 : 6;
  if (line.size() < marks + bytes)
    throw Fault{line.data(), "the line ends before the number of vertices: it is truncated"};
  const std::uint64_t order =
      Bits(line.substr(marks, bytes)).number(static_cast<unsigned>(bytes) * kBits);
  line.remove_prefix(marks + bytes);
  return order;
}

std::uint64_t bytes_of_triangle(std::uint64_t order) {
  const std::uint64_t entries = order * (order == 0 ? 0 : order - 1) / 2;
  return (entries + kBits - 1) / kBits;
}

std::vector<Edge> triangle(std::string_view line, Vertex order) {
  const std::uint64_t bytes = bytes_of_triangle(order);
  if (line.size() != bytes)
    throw Fault{line.data(), fmt::format("{} vertices need {} bytes of graph6; the line has {}",
                                         order, bytes, line.size())};
  std::vector<Edge> edges;
  Bits bits(line);
  for (Vertex to = 1; to < order; ++to) {
    stop_if_asked();
    for (Vertex from = 0; from < to; ++from)
      if (bits.next()) push_charged(edges, {from, to});
  }
  return edges;
}

// Pairs of one bit and a number x. The bit advances v by one. Then a larger x is the new v; any
// other x is an edge from v to x.
std::vector<Edge> pairs(std::string_view line, Vertex order) {
  std::vector<Edge> edges;
  const auto width = static_cast<unsigned>(order < 2 ? 1 : std::bit_width(order - 1));
  std::uint64_t v = 0;
  for (Bits bits(line); bits.left() > width;) {
    if (bits.left() % kCheck <= width) stop_if_asked();
    if (bits.next()) ++v;
    const std::uint64_t x = bits.number(width);
    if (x >= order || v >= order) break;  // padding
    if (x > v) {
      v = x;
    } else {
      push_charged(edges, {static_cast<Vertex>(x), static_cast<Vertex>(v)});
    }
  }
  return edges;
}

ParsedGraph parse_line(std::string_view line, const std::string& where) {
  for (const std::string_view header : {">>graph6<<", ">>sparse6<<"})
    if (line.starts_with(header)) line.remove_prefix(header.size());
  if (line.starts_with('&') || line.starts_with(">>digraph6<<"))
    throw Fault{line.data(), "digraph6 is not read; nauty's listg writes its arcs"};
  if (line.starts_with(';'))
    throw Fault{line.data(), "incremental sparse6 is not read; nauty's copyg writes it as graph6"};
  const bool sparse = line.starts_with(':');
  if (sparse) line.remove_prefix(1);
  for (const char& c : line)
    if (c < kFirst || c > kLast)
      throw Fault{&c, "the byte " + show({&c, 1}) +
                          " does not occur in graph6: not this format, or a damaged file"};
  ParsedGraph graph;
  graph.order = checked_order(take_order(line), where);
  graph.edges.push_back(sparse ? pairs(line, graph.order) : triangle(line, graph.order));
  graph.labels = Labels::sequential(0, graph.order);
  graph.goes_both_ways = true;
  return graph;
}

std::string_view trim(std::string_view line) {
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

}  // namespace

bool is_graph6(std::string_view line) {
  const bool is_relative = line.size() > 1 && (line[0] == ':' || line[0] == '&');
  line.remove_prefix(is_relative ? 1 : 0);
  if (line.empty() ||
      std::any_of(line.begin(), line.end(), [](char c) { return c < kFirst || c > kLast; }))
    return false;
  if (is_relative) return true;
  try {
    const std::uint64_t order = take_order(line);
    return order > 1 && order <= kMaxOrder && bytes_of_triangle(order) == line.size();
  } catch (const Fault&) {
    return false;
  }
}

ParsedGraph read_graph6(Input& input) {
  std::optional<ParsedGraph> graph;
  while (const auto line = input.line()) {
    const std::string where = input.where(input.lines_read());
    const std::string_view text = trim(*line);
    if (text.empty()) continue;
    if (graph)
      throw InputError(
          where, "a second graph: one graph a file is read, and each line is one; take one line");
    try {
      graph = parse_line(text, where);
    } catch (const Fault& fault) {
      throw InputError(where, fault.what);
    }
  }
  if (!graph) throw InputError(input.name(), "no graph: the file is empty");
  return std::move(*graph);
}

}  // namespace antipode
