// Several measures of all vertices. Closeness, harmonic closeness and eccentricities come from the
// same searches, one from every vertex; eccentricities without these from as few as bounds allow.
// Betweenness has searches of its own. Memory: 8 bytes a vertex and column, and what the measures
// need.
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "measure/table_searches.hpp"

namespace antipode {

namespace {

constexpr Policies kOfTables = {Disconnected::largest, Disconnected::reachable};

// Numbered from 0, which is largest(), by falling order; of equal ones by their first vertex.
std::vector<Vertex> component_numbers(const Components& components) {
  std::vector<Vertex> by_order(components.count()), number(components.count());
  std::iota(by_order.begin(), by_order.end(), Vertex{0});
  std::vector<Vertex> first(components.count(), kNoVertex);
  for (Vertex v = 0; v < components.of.size(); ++v)
    first[components.of[v]] = std::min(first[components.of[v]], v);
  std::sort(by_order.begin(), by_order.end(), [&](Vertex a, Vertex b) {
    if (components.orders[a] != components.orders[b])
      return components.orders[a] > components.orders[b];
    if ((a == components.largest()) != (b == components.largest()))
      return a == components.largest();
    return first[a] < first[b];
  });
  for (Vertex i = 0; i < by_order.size(); ++i) number[by_order[i]] = i;
  std::vector<Vertex> values(components.of);
  for (Vertex& value : values) value = number[value];
  return values;
}

std::vector<Vertex> degrees(const Adjacency& rows) {
  std::vector<Vertex> values(rows.order());
  for (Vertex v = 0; v < rows.order(); ++v) values[v] = rows.degree(v);
  return values;
}

// The values of the part at its vertices; elsewhere there are none.
template <class Value>
std::vector<Value> spread(std::vector<Value> values, const Graph& graph,
                          std::span<const Vertex> members, Value none) {
  if (values.size() == graph.order()) return values;
  std::vector<Value> result(graph.order(), none);
  for (std::size_t i = 0; i < members.size(); ++i) result[members[i]] = values[i];
  return result;
}

class TableColumns {
 public:
  TableColumns(const Graph& graph, std::span<const Vertex> members, VertexTable& result)
      : graph_(graph), members_(members), result_(result) {}

  void add(std::string name, std::vector<Vertex> values) {
    result_.table.columns.push_back({std::move(name), std::move(values)});
  }
  bool add(std::string name, std::optional<std::vector<Length>>& values) {
    return put(std::move(name), values, kNoPath);
  }
  bool add(std::string name, std::optional<std::vector<double>>& values) {
    return put(std::move(name), values, std::numeric_limits<double>::quiet_NaN());
  }

 private:
  template <class Value>
  bool put(std::string name, std::optional<std::vector<Value>>& values, Value none) {
    if (!values) return false;
    result_.table.columns.push_back(
        {std::move(name), spread(std::move(*values), graph_, members_, none)});
    return true;
  }

  const Graph& graph_;
  std::span<const Vertex> members_;
  VertexTable& result_;
};

void add_columns(TableColumns& table, const Graph& graph, VertexMeasure measure,
                 PartColumns& columns, std::vector<VertexMeasure>& incomplete) {
  const bool directed = graph.is_directed();
  bool complete = true;
  switch (measure) {
    case VertexMeasure::degree:
      table.add(directed ? "out_degree" : "degree", degrees(graph.adjacency()));
      if (directed) table.add("in_degree", degrees(graph.into().adjacency()));
      break;
    case VertexMeasure::component:
      table.add("component", component_numbers(components(graph)));
      if (directed) table.add("strong_component", component_numbers(strong_components(graph)));
      break;
    case VertexMeasure::eccentricity:
      complete = columns.eccentricity && (!directed || columns.in_eccentricity);
      if (!complete) break;
      table.add(directed ? "out_eccentricity" : "eccentricity", columns.eccentricity);
      if (directed) table.add("in_eccentricity", columns.in_eccentricity);
      break;
    case VertexMeasure::closeness:
      complete = table.add("closeness", columns.closeness);
      break;
    case VertexMeasure::harmonic:
      complete = table.add("harmonic", columns.harmonic);
      break;
    case VertexMeasure::betweenness:
      complete = table.add("betweenness", columns.betweenness);
      break;
  }
  if (!complete) incomplete.push_back(measure);
}

void require_positive_lengths(const Graph& graph) {
  const auto zero = zero_edge(graph);
  if (!zero) return;
  throw UsageError("shortest paths cannot be counted where an edge has length 0, such as " +
                   graph.label(zero->from) + (graph.is_directed() ? " → " : " – ") +
                   graph.label(zero->to) +
                   ": make one vertex of the ends of such edges first, or leave betweenness out");
}

}  // namespace

VertexTable vertex_table(const Graph& graph, std::span<const VertexMeasure> measures,
                         const AskOptions& options) {
  const auto asks = [&](VertexMeasure measure) {
    return std::find(measures.begin(), measures.end(), measure) != measures.end();
  };
  constexpr std::uint64_t kCell = 8;
  refuse_bytes(graph.order() * kCell * (measures.size() + 2), "a table of all vertices");
  VertexTable result;
  result.table.labels = graph.labels();
  result.table.unit = graph.unit();
  LabelColumn vertices{std::vector<Vertex>(graph.order())};
  for (Vertex v = 0; v < graph.order(); ++v) vertices.vertices[v] = graph.origin(v);
  result.table.columns.push_back({"vertex", std::move(vertices)});
  PartColumns columns{.eccentricity = std::vector<Length>(),
                      .in_eccentricity = std::vector<Length>(),
                      .closeness = std::vector<double>(),
                      .harmonic = std::vector<double>(),
                      .betweenness = std::vector<double>()};
  std::span<const Vertex> members;
  std::optional<Asked> asked;
  if (graph.order() > 0) {
    asked.emplace("a table", graph, options, kOfTables, Sampling::possible,
                  parts_of(graph, options));
    const Graph part = asked->part();
    if (part.order() < graph.order()) members = asked->members(asked->parts().largest());
    result.about = asked->about(part);
    if (asks(VertexMeasure::betweenness)) require_positive_lengths(part);
    columns = {};
    TableSearches searches(*asked, options, asked->observer(), result);
    if (asks(VertexMeasure::closeness) || asks(VertexMeasure::harmonic))
      searches.sums(part,
                    asks(VertexMeasure::harmonic) ? ClosenessFormula::harmonic
                                                  : ClosenessFormula::wasserman_faust,
                    columns);
    else if (asks(VertexMeasure::eccentricity))
      columns.eccentricity = searches.eccentricities(part, Along::arcs);
    if (asks(VertexMeasure::eccentricity) && graph.is_directed())
      columns.in_eccentricity = searches.eccentricities(part, Along::reversed_arcs);
    if (asks(VertexMeasure::betweenness)) columns.betweenness = searches.betweenness(part);
  }
  TableColumns table(graph, members, result);
  for (const VertexMeasure measure : measures)
    add_columns(table, graph, measure, columns, result.incomplete);
  return result;
}

}  // namespace antipode
