#include "graph_object.hpp"

namespace antipode::python {

std::unique_ptr<GraphObject> GraphObject::component(const GraphObject& whole,
                                                    const Components& parts, Vertex which) {
  auto part = std::make_unique<GraphObject>(component_subgraph(whole.graph(), parts, which));
  const Graph& graph = part->graph();
  if (!graph.is_directed())
    part->components_ = {.of = std::vector<Vertex>(graph.order(), 0),
                         .orders = {graph.order()},
                         .sizes = {graph.size()},
                         .most = 0};
  return part;
}

const Components& GraphObject::components() {
  if (!components_) components_ = antipode::components(graph_);
  return *components_;
}

const Components& GraphObject::strong_components() {
  if (!graph_.is_directed()) return components();
  if (!strong_components_) strong_components_ = antipode::strong_components(graph_);
  return *strong_components_;
}

Engine& GraphObject::engine(const Machine& machine) {
  if (!engine_.engine || engine_.machine != machine) {
    engine_.engine.reset();
    engine_ = {machine, make_engine(machine.engine, graph_, machine.options())};
  }
  return *engine_.engine;
}

PathEngine& GraphObject::path_engine(const Machine& machine) {
  if (!path_engine_.engine || path_engine_.machine != machine) {
    path_engine_.engine.reset();
    path_engine_ = {machine, make_path_engine(machine.engine, graph_, machine.options())};
  }
  return *path_engine_.engine;
}

Kept GraphObject::kept(const Machine& machine) {
  const Components& parts = strong_components();
  if (parts.count() != 1) return {};
  Kept kept;
  kept.components = &parts;
  if (graph_.order() == 1) return kept;
  if (graph_.is_directed() || graph_.has_lengths())
    kept.paths = &path_engine(machine);
  else
    kept.engine = &engine(machine);
  return kept;
}

}  // namespace antipode::python
