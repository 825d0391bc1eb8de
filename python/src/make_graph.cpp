// Graphs from files, specs and arrays.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "arrays.hpp"
#include "bind.hpp"
#include "compressed_rows.hpp"
#include "length_scale.hpp"

namespace antipode::python {

namespace {

constexpr std::int64_t kUnknownOrder = -1;

// Vertex numbers of either width, below the order.
template <class Id>
class Ends {
 public:
  Ends(std::span<const Id> source, std::span<const Id> target, std::int64_t order)
      : source_(source), target_(target), order_(order) {
    if (source.size() != target.size())
      throw UsageError("source has " + std::to_string(source.size()) + " entries, target has " +
                       std::to_string(target.size()));
    if (order == kUnknownOrder) order_ = largest() + 1;
    if (order_ < 0 || static_cast<std::uint64_t>(order_) > kMaxOrder)
      throw UsageError("a graph has at most " + std::to_string(kMaxOrder) + " vertices");
  }

  Vertex order() const { return static_cast<Vertex>(order_); }
  std::vector<Edge> edges() const {
    std::vector<Edge> result(source_.size());
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = {vertex(source_[i]), vertex(target_[i])};
    return result;
  }

 private:
  std::int64_t largest() const {
    Id most = -1;
    for (const auto& list : {source_, target_})
      for (const Id id : list) most = std::max(most, id);
    return most;
  }
  Vertex vertex(Id id) const {
    if (id < 0 || static_cast<std::int64_t>(id) >= order_)
      throw nb::index_error(("vertex " + std::to_string(id) + " is not in a graph of " +
                             std::to_string(order_) + " vertices")
                                .c_str());
    return static_cast<Vertex>(id);
  }

  std::span<const Id> source_, target_;
  std::int64_t order_;
};

Graph graph_of(Vertex order, std::vector<Edge> edges, const std::optional<Lengths64>& lengths,
               const UnitTuple& unit, Direction direction) {
  const Labels labels = Labels::sequential(0, order);
  const std::size_t count = edges.size();
  std::vector<std::vector<Edge>> lists;
  lists.push_back(std::move(edges));
  if (!lengths) return build_graph(order, std::move(lists), labels, direction).graph;
  if (lengths->shape(0) != count)
    throw UsageError("there are " + std::to_string(count) + " edges and " +
                     std::to_string(lengths->shape(0)) + " lengths");
  const auto given = span_of(*lengths);
  return build_graph(order, std::move(lists), {{given.begin(), given.end()}}, to_unit(unit), labels,
                     direction)
      .graph;
}

Direction direction_of(bool directed) { return directed ? Direction::forward : Direction::none; }

template <class Id>
GraphObject* from_edges(const Given<Id>& source, const Given<Id>& target, std::int64_t order,
                        bool directed, const std::optional<Lengths64>& lengths,
                        const UnitTuple& unit) {
  Watch watch(nb::none(), 0);
  auto made = without_gil(watch, [&] {
    const LoadWatch loading(watch);
    const Ends<Id> ends(span_of(source), span_of(target), order);
    return graph_of(ends.order(), ends.edges(), lengths, unit, direction_of(directed));
  });
  return new GraphObject(std::move(made.value()));
}

template <class Id>
GraphObject* from_rows(const Given<Id>& offsets, const Given<Id>& targets, bool directed,
                       const std::optional<Lengths64>& lengths, const UnitTuple& unit) {
  Watch watch(nb::none(), 0);
  auto made = without_gil(watch, [&] {
    const LoadWatch loading(watch);
    CompressedRows rows(span_of(offsets), span_of(targets));
    if (!directed && !lengths && rows.is_symmetric()) return std::move(rows).take();
    return graph_of(rows.order(), rows.edges(), lengths, unit, direction_of(directed));
  });
  return new GraphObject(std::move(made.value()));
}

struct FileOptions {
  std::string format, columns;
  bool directed, weighted;
};

nb::tuple load(const std::string& where, const FileOptions& file, const Ask& ask) {
  Watch watch(nb::none(), ask.time_limit);
  LoadOptions options;
  options.format = file.format;
  options.columns = file.columns;
  options.direction = direction_of(file.directed);
  options.lengths = file.weighted ? antipode::Lengths::used : antipode::Lengths::ignored;
  auto loaded = without_gil(watch, [&] {
    const LoadWatch loading(watch);
    return load_graph(where, options);
  });
  if (!loaded) throw Interrupted();
  const nb::object graph = nb::cast(new GraphObject(loaded->graph), nb::rv_policy::take_ownership);
  return nb::make_tuple(graph, loaded->name, loaded->notices);
}

nb::object scale(const Given<double>& values, bool exact) {
  const auto scaled = exact ? scale_exactly(span_of(values)) : scale_decimals(span_of(values));
  if (!scaled) return nb::none();
  return nb::make_tuple(to_array(scaled->lengths), from_unit(scaled->unit));
}

}  // namespace

void bind_makers(GraphClass& graph, nb::module_& module) {
  graph
      .def_static("from_edges", &from_edges<std::int32_t>, nb::arg("source"), nb::arg("target"),
                  nb::arg("order"), nb::arg("directed"), nb::arg("lengths").none(), nb::arg("unit"))
      .def_static("from_edges", &from_edges<std::int64_t>, nb::arg("source"), nb::arg("target"),
                  nb::arg("order"), nb::arg("directed"), nb::arg("lengths").none(), nb::arg("unit"))
      .def_static("from_rows", &from_rows<std::int32_t>, nb::arg("offsets"), nb::arg("targets"),
                  nb::arg("directed"), nb::arg("lengths").none(), nb::arg("unit"))
      .def_static("from_rows", &from_rows<std::int64_t>, nb::arg("offsets"), nb::arg("targets"),
                  nb::arg("directed"), nb::arg("lengths").none(), nb::arg("unit"))
      .def_static(
          "load",
          [](const std::string& where, std::string format, std::string columns, bool directed,
             bool weighted, const Ask& ask) {
            return load(where, {std::move(format), std::move(columns), directed, weighted}, ask);
          },
          nb::arg("where"), nb::arg("format"), nb::arg("columns"), nb::arg("directed"),
          nb::arg("weighted"), nb::arg("ask"));
  module.def("scale", &scale, nb::arg("values"), nb::arg("exact"),
             "Lengths as whole numbers and their unit; None where they have no common one.");
}

}  // namespace antipode::python
