// What a graph is: sizes, arrays, labels, components; written to a file or taken apart.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "arrays.hpp"
#include "bind.hpp"
#include "length_scale.hpp"

namespace antipode::python {

namespace {

nb::object labels_of(const GraphObject& object) {
  const Graph& graph = object.graph();
  const Labels& labels = graph.labels();
  if (labels.kind() == Labels::Kind::sequential && !graph.is_derived())
    return nb::cast(labels.first());
  nb::list result;
  for (Vertex v = 0; v < graph.order(); ++v) {
    const Vertex at = graph.origin(v);
    if (labels.kind() == Labels::Kind::integers)
      result.append(labels.values()[at]);
    else
      result.append(labels.of(at));
  }
  return result;
}

using LabelList = std::variant<std::vector<std::uint64_t>, std::vector<std::string>>;

Labels labels_from(LabelList list) {
  if (auto* numbers = std::get_if<std::vector<std::uint64_t>>(&list))
    return Labels::integers(std::move(*numbers));
  return Labels::names(std::get<std::vector<std::string>>(list));
}

// The same graph under other labels.
Graph relabelled(const Graph& graph, const Labels& labels) {
  const auto kept = std::make_shared<const Graph>(graph);
  Graph result(kept, graph.offsets(), graph.targets(), labels);
  if (graph.is_directed())
    result = result.with_entering_arcs(
        Graph(kept, graph.into().offsets(), graph.into().targets(), labels));
  if (!graph.has_lengths()) return result;
  const auto lengths = graph.adjacency().lengths;
  return result.with_lengths({lengths.begin(), lengths.end()}, graph.unit());
}

std::vector<std::string> save(GraphObject& object, const std::string& path,
                              const std::string& format) {
  Watch watch(nb::none(), 0);
  auto notices = without_gil(watch, [&] {
    const LoadWatch loading(watch);
    return write_graph(object.graph(), path, format);
  });
  return std::move(notices.value());
}

// Of directed graphs: components as if arcs went both ways, or strong ones.
enum class Kind { weak, strong };

const Components& components_of(GraphObject& object, Kind kind) {
  return kind == Kind::weak ? object.components() : object.strong_components();
}

// The component of each vertex, and what they are.
nb::tuple component_list(GraphObject& object, Kind kind) {
  Watch watch(nb::none(), 0);
  auto parts = alone(object, watch, [&] { return components_of(object, kind); });
  if (!parts) throw Interrupted();
  const auto largest = parts->largest();
  return nb::make_tuple(to_array(std::move(parts->of)), to_array(std::move(parts->orders)),
                        to_array(std::move(parts->sizes)), largest);
}

nb::object component(GraphObject& object, Kind kind, Vertex which) {
  Watch watch(nb::none(), 0);
  auto part = alone(object, watch, [&] {
    const Components& parts = components_of(object, kind);
    if (which >= parts.count()) throw nb::index_error("there is no such component");
    return GraphObject::component(object, parts, which);
  });
  if (!part) throw Interrupted();
  return nb::cast(part->release(), nb::rv_policy::take_ownership);
}

Kind kind_of(bool strong) { return strong ? Kind::strong : Kind::weak; }

nb::object lengths_of(nb::handle self) {
  const Adjacency& adjacency = nb::cast<GraphObject&>(self).graph().adjacency();
  return adjacency.lengths.empty() ? nb::none() : view_of(adjacency.lengths, self);
}

nb::tuple triangles_of(GraphObject& object) {
  Watch watch(nb::none(), 0);
  auto found = without_gil(watch, [&] { return triangles(object.graph()); });
  return nb::make_tuple(found->total, to_array(std::move(found->at)));
}

void bind_arrays(GraphClass& graph) {
  graph
      .def_prop_ro("offsets",
                   [](nb::handle_t<GraphObject> self) {
                     return view_of(nb::cast<GraphObject&>(self).graph().offsets(), self);
                   })
      .def_prop_ro("targets",
                   [](nb::handle_t<GraphObject> self) {
                     return view_of(nb::cast<GraphObject&>(self).graph().targets(), self);
                   })
      .def_prop_ro("lengths", [](nb::handle_t<GraphObject> self) { return lengths_of(self); });
}

}  // namespace

void bind_facts(GraphClass& graph) {
  graph.def_prop_ro("order", [](const GraphObject& g) { return g.graph().order(); })
      .def_prop_ro("size", [](const GraphObject& g) { return g.graph().size(); })
      .def_prop_ro("directed", [](const GraphObject& g) { return g.graph().is_directed(); })
      .def_prop_ro("weighted", [](const GraphObject& g) { return g.graph().has_lengths(); })
      .def_prop_ro("unit", [](const GraphObject& g) { return from_unit(g.graph().unit()); })
      .def_prop_ro("labels", &labels_of, "A list; the first of them where they are consecutive.")
      .def("transpose", [](const GraphObject& g) { return new GraphObject(g.graph().transpose()); })
      .def("without_lengths",
           [](const GraphObject& g) { return new GraphObject(g.graph().without_lengths()); })
      .def(
          "with_labels",
          [](const GraphObject& g, LabelList labels) {
            if (std::visit([](const auto& list) { return list.size(); }, labels) !=
                g.graph().order())
              throw UsageError("every vertex needs a label");
            return new GraphObject(relabelled(g.graph(), labels_from(std::move(labels))));
          },
          nb::arg("labels"), "The same graph with other labels: whole numbers or text.")
      .def("save", &save, nb::arg("path"), nb::arg("format"))
      .def(
          "components",
          [](GraphObject& g, bool strong) { return component_list(g, kind_of(strong)); },
          nb::arg("strong"), "Component of each vertex, orders, sizes, the largest.")
      .def(
          "component",
          [](GraphObject& g, bool strong, Vertex which) {
            return component(g, kind_of(strong), which);
          },
          nb::arg("strong"), nb::arg("which"))
      .def("triangles", &triangles_of);
  bind_arrays(graph);
}

}  // namespace antipode::python
