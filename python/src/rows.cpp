// Distances from some sources to all vertices, one row each, and shortest paths.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <unistd.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/path_measures.hpp"
#include "arrays.hpp"
#include "bind.hpp"

namespace antipode::python {

namespace {

void check(const Graph& graph, std::span<const Vertex> vertices) {
  for (const Vertex v : vertices)
    if (v >= graph.order()) throw nb::index_error("there is no such vertex");
}

// Before it is allocated: a system may promise memory that it does not have.
void refuse_beyond_memory(std::uint64_t entries, std::uint64_t width, const Machine& machine) {
  const auto physical = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  const std::uint64_t limit = machine.memory_limit != 0 ? machine.memory_limit : physical;
  if (entries > limit / width)
    throw OutOfMemory(std::to_string(entries) + " distances take " + std::to_string(width) +
                      " bytes each, and " + std::to_string(limit) +
                      " bytes may be used: ask from some sources at a time");
}

template <class Value>
struct Table {
  std::vector<Value> values;
  bool finished = false;
};

// -1: no path.
Table<std::int32_t> rows_in_edges(GraphObject& object, std::span<const Vertex> sources,
                                  const Ask& ask, Watch& watch) {
  Table<std::int32_t> table;
  table.values.reserve(sources.size() * object.graph().order());
  CheckpointStore none;
  Vertex done = 0;
  table.finished = all_distances(
      object.engine(ask.machine), sources, done,
      [&](Vertex, std::span<const Distance> row) {
        static_assert(static_cast<std::int32_t>(kUnreached) == -1);
        for (const Distance distance : row)
          table.values.push_back(static_cast<std::int32_t>(distance));
      },
      watch, none, [] {});
  return table;
}

Table<std::int64_t> rows_in_lengths(GraphObject& object, std::span<const Vertex> sources,
                                    const Ask& ask, Watch& watch) {
  const std::size_t order = object.graph().order();
  Table<std::int64_t> table;
  table.values.resize(sources.size() * order);
  std::unordered_multimap<Vertex, std::size_t> places;  // rows come in any order
  for (std::size_t i = 0; i < sources.size(); ++i) places.emplace(sources[i], i);
  PathEngine& engine = object.path_engine(ask.machine);
  const Interruption interruption(engine, [&watch] { return watch.stop(); });
  std::vector<Vertex> once(sources.begin(), sources.end());
  std::sort(once.begin(), once.end());
  once.erase(std::unique(once.begin(), once.end()), once.end());
  engine.rows(once, Along::arcs, [&](Vertex source, std::span<const Length> row) {
    static_assert(static_cast<std::int64_t>(kNoPath) == -1);
    const auto [first, last] = places.equal_range(source);
    for (auto place = first; place != last; ++place)
      std::transform(row.begin(), row.end(),
                     table.values.begin() + static_cast<std::ptrdiff_t>(place->second * order),
                     [](Length length) { return static_cast<std::int64_t>(length); });
  });
  table.finished = true;
  return table;
}

template <class Rows>
nb::object distances(GraphObject& object, std::span<const Vertex> sources, const Ask& ask,
                     Rows rows) {
  refuse_beyond_memory(sources.size() * std::uint64_t{object.graph().order()},
                       object.graph().has_lengths() ? sizeof(Length) : sizeof(Distance),
                       ask.machine);
  Watch watch(ask.progress, ask.time_limit);
  auto table = alone(object, watch, [&] { return rows(object, sources, ask, watch); });
  watch.rethrow();
  if (!table || !table->finished) throw Interrupted();
  return to_array(std::move(table->values), {sources.size(), object.graph().order()});
}

nb::object distances_from(GraphObject& object, const Given<Vertex>& sources, const Ask& ask) {
  const auto list = span_of(sources);
  check(object.graph(), list);
  return object.graph().has_lengths() ? distances(object, list, ask, rows_in_lengths)
                                      : distances(object, list, ask, rows_in_edges);
}

// Empty: there is none.
std::vector<Vertex> path_in_edges(Engine& engine, Vertex from, Vertex to) {
  engine.search(from);
  return engine.path(kLatest, to);
}

std::vector<Vertex> path_in_lengths(PathEngine& engine, Vertex from, Vertex to) {
  std::vector<Length> distances(engine.graph().order());
  engine.search(from, Along::arcs, distances);
  if (distances[to] == kNoPath) return {};
  return shortest_path(engine.graph(), from, distances, to);
}

std::vector<Vertex> path_between(GraphObject& object, Vertex from, Vertex to, const Ask& ask) {
  check(object.graph(), std::vector<Vertex>{from, to});
  Watch watch(ask.progress, ask.time_limit);
  const auto stop = [&watch] { return watch.stop(); };
  auto path = alone(object, watch, [&] {
    if (object.graph().has_lengths()) {
      PathEngine& engine = object.path_engine(ask.machine);
      const Interruption interruption(engine, stop);
      return path_in_lengths(engine, from, to);
    }
    Engine& engine = object.engine(ask.machine);
    const Interruption interruption(engine, stop);
    return path_in_edges(engine, from, to);
  });
  if (!path) throw Interrupted();
  return std::move(*path);
}

}  // namespace

void bind_rows(GraphClass& graph) {
  graph.def("distances", &distances_from, nb::arg("sources"), nb::arg("ask"))
      .def("path", &path_between, nb::arg("source"), nb::arg("target"), nb::arg("ask"));
}

}  // namespace antipode::python
