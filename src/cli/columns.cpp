#include "cli/columns.hpp"

#include <iterator>
#include <numeric>

#include "cli/command.hpp"

namespace antipode::cli {

TableFormat output_format(const CommonOptions& options, const std::string& path) {
  if (path != "-") return table_format_of(path);
  return options.json ? TableFormat::json : options.csv ? TableFormat::csv : TableFormat::none;
}

void check_output(const CommonOptions& options, const Graph& whole, const std::string& path) {
  if (!path.empty() && output_format(options, path) == TableFormat::none) check_labels(whole, path);
}

Table table_of(const Graph& graph, std::vector<Column> columns) {
  LabelColumn vertices{std::vector<Vertex>(graph.labels().count())};
  std::iota(vertices.vertices.begin(), vertices.vertices.end(), Vertex{0});
  Table table{.labels = graph.labels(), .unit = graph.unit(), .columns = {}};
  table.columns.push_back({"vertex", std::move(vertices)});
  std::move(columns.begin(), columns.end(), std::back_inserter(table.columns));
  return table;
}

Table table_of(const Graph& graph, std::span<const Vertex> listed) {
  LabelColumn vertices;
  for (const Vertex v : listed) vertices.vertices.push_back(graph.origin(v));
  Table table{.labels = graph.labels(), .unit = graph.unit(), .columns = {}};
  table.columns.push_back({"vertex", std::move(vertices)});
  return table;
}

}  // namespace antipode::cli
