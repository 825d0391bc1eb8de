// From a name to a graph: generator or file, format, parsing, building.
#include <fmt/format.h>

#include <chrono>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "io/blocks.hpp"
#include "io/detect.hpp"

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

LoadedGraph built(LoadedGraph loaded, ParsedGraph&& parsed, Clock& clock) {
  loaded.notices = std::move(parsed.notices);
  if (parsed.graph) {
    loaded.graph = *parsed.graph;
    return loaded;
  }
  std::uint64_t given = 0;
  for (const auto& list : parsed.edges) given += list.size();
  BuiltGraph graph = build_graph(parsed.order, std::move(parsed.edges), std::move(parsed.labels));
  loaded.graph = graph.graph;
  loaded.loops = graph.loops;
  loaded.repeats = graph.repeats;
  if (parsed.lists_both_ends) {
    const std::uint64_t ends = given - graph.loops, both = 2 * graph.graph.size();
    loaded.repeats = ends > both ? ends - both : 0;
    if (ends < both) loaded.notices.push_back(fmt::format("{} edges are listed at one end only; they are taken as undirected", both - ends));
  }
  loaded.build_seconds = clock.lap();
  return loaded;
}

LoadedGraph read(Input& input, const std::string& name, std::string_view format) {
  Clock clock;
  const FormatEntry& entry = format_of(input, format);
  ParsedGraph parsed = entry.read(input);
  LoadedGraph loaded;
  loaded.name = name;
  loaded.format = entry.format.name;
  loaded.read_seconds = clock.lap();
  return built(std::move(loaded), std::move(parsed), clock);
}

}  // namespace

void check_id(std::uint64_t id, std::uint64_t first, Vertex order, const char* at) {
  if (id < first || id - first >= order)
    throw Fault{at, fmt::format("vertex {} in a graph of {} vertices, numbered from {}", id, order, first)};
}

Vertex checked_order(std::uint64_t order, const std::string& where) {
  if (order > kMaxOrder) throw InputError(where, fmt::format("{} vertices; at most {} can be numbered", order, kMaxOrder));
  return static_cast<Vertex>(order);
}

LoadedGraph load_graph(const std::string& where, std::string_view format) {
  if (where.starts_with("gen:")) {
    Clock clock;
    BuiltGraph made = generate(where.substr(4));
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
  return read(input, where, format);
}

LoadedGraph parse_graph(const std::string& name, std::string_view bytes, std::string_view format) {
  Input input = Input::from_memory(name, bytes);
  return read(input, name, format);
}

std::vector<std::string> write_graph(const Graph& graph, const std::string& path, std::string_view format) {
  return format_for_writing(path, format).write(graph, path);
}

}  // namespace antipode
