// From a name to a graph: generator or file, format, parsing, building.
#include <fmt/format.h>

#include <chrono>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "io/blocks.hpp"
#include "io/detect.hpp"
#include "io/output.hpp"

namespace antipode {

namespace {

class Clock {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void add_reversed(std::vector<std::vector<Edge>>& edges) {
  const std::size_t lists = edges.size();
  for (std::size_t i = 0; i < lists; ++i) {
    std::vector<Edge> reversed(edges[i]);
    for (Edge& e : reversed) std::swap(e.from, e.to);
    edges.push_back(std::move(reversed));
  }
}

LoadedGraph built(LoadedGraph loaded, ParsedGraph&& parsed, Direction direction, Clock& clock) {
  const bool directed = direction == Direction::forward;
  loaded.notices = std::move(parsed.notices);
  if (directed && (parsed.graph || parsed.goes_both_ways))
    loaded.notices.emplace_back(
        "the file says that its edges have no direction: each is taken both ways");
  if (parsed.graph) {
    loaded.graph = directed ? parsed.graph->directed(*parsed.graph) : *parsed.graph;
    return loaded;
  }
  if (directed && parsed.goes_both_ways) add_reversed(parsed.edges);
  std::uint64_t given = 0;
  for (const auto& list : parsed.edges) given += list.size();
  BuiltGraph graph =
      build_graph(parsed.order, std::move(parsed.edges), std::move(parsed.labels), direction);
  loaded.graph = graph.graph;
  loaded.loops = graph.loops;
  loaded.repeats = graph.repeats;
  if (directed && parsed.goes_both_ways)
    loaded.loops /= 2, loaded.repeats /= 2;  // each was given once and taken twice
  if (parsed.lists_both_ends && !directed) {
    const std::uint64_t ends = given - graph.loops, both = 2 * graph.graph.size();
    loaded.repeats = ends > both ? ends - both : 0;
    if (ends < both)
      loaded.notices.push_back(fmt::format(
          "{} edges are listed at one end only; they are taken as undirected", both - ends));
  }
  loaded.build_seconds = clock.lap();
  return loaded;
}

LoadedGraph read(Input& input, const std::string& name, std::string_view format,
                 Direction direction) {
  Clock clock;
  const FormatEntry& entry = format_of(input, format);
  ParsedGraph parsed = entry.read(input);
  LoadedGraph loaded;
  loaded.name = name;
  loaded.format = entry.format.name;
  loaded.read_seconds = clock.lap();
  return built(std::move(loaded), std::move(parsed), direction, clock);
}

}  // namespace

void check_id(std::uint64_t id, std::uint64_t first, Vertex order, const char* at) {
  if (id < first || id - first >= order)
    throw Fault{
        at, fmt::format("vertex {} in a graph of {} vertices, numbered from {}", id, order, first)};
}

Vertex checked_order(std::uint64_t order, const std::string& where) {
  if (order > kMaxOrder)
    throw InputError(where,
                     fmt::format("{} vertices; at most {} can be numbered", order, kMaxOrder));
  return static_cast<Vertex>(order);
}

LoadedGraph load_graph(const std::string& where, std::string_view format, Direction direction) {
  if (where.starts_with("gen:")) {
    Clock clock;
    BuiltGraph made = generate(where.substr(4), direction);
    LoadedGraph loaded;
    loaded.graph = made.graph;
    loaded.name = where;
    loaded.format = "generated";
    loaded.loops = made.loops;
    loaded.repeats = made.repeats;
    loaded.build_seconds = clock.lap();
    return loaded;
  }
  Input input = Input::open(where);
  return read(input, where, format, direction);
}

LoadedGraph parse_graph(const std::string& name, std::string_view bytes, std::string_view format,
                        Direction direction) {
  Input input = Input::from_memory(name, bytes);
  return read(input, name, format, direction);
}

std::vector<std::string> write_graph(const Graph& graph, const std::string& path,
                                     std::string_view format) {
  return format_for_writing(path, format).write(graph, path);
}

std::uint64_t written_size(const Graph& graph, const std::string& path, std::string_view format) {
  const OutputFile::Counting counting;
  write_graph(graph, path, format);
  return counting.bytes();
}

}  // namespace antipode
