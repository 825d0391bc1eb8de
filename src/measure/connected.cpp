#include "measure/connected.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"

namespace antipode {

void require_undirected(const Graph& graph, std::string_view what) {
  if (!graph.is_directed()) return;
  throw UsageError(
      fmt::format("{} is about graphs without directions, and this one has them: build it without "
                  "(Direction::none)",
                  what));
}

void require_connected(Engine& engine, Vertex source, Vertex reached) {
  const Graph& graph = engine.graph();
  if (reached == graph.order()) return;
  engine.interrupt_when(nullptr);
  Vertex apart = kNoVertex;
  engine.distances(std::span(&source, 1), [&](Vertex, std::span<const Distance> row) {
    apart = static_cast<Vertex>(std::find(row.begin(), row.end(), kUnreached) - row.begin());
  });
  throw UsageError(
      fmt::format("the graph is not connected: vertex {} is not reached from {}; ask of a "
                  "component (component_subgraph), "
                  "or call the form that takes a graph and a policy (antipode/ask.hpp)",
                  graph.label(apart), graph.label(source)));
}

}  // namespace antipode
