#include "graph_object.hpp"

namespace antipode::python {

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
  if (!parts_) parts_ = graph_.is_directed() ? strong_components(graph_) : components(graph_);
  if (parts_->count() != 1) return {};
  Kept kept;
  kept.components = &*parts_;
  if (graph_.order() == 1) return kept;
  if (graph_.is_directed() || graph_.has_lengths())
    kept.paths = &path_engine(machine);
  else
    kept.engine = &engine(machine);
  return kept;
}

}  // namespace antipode::python
