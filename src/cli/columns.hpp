// What --output writes: a table where the file's name or --csv or --json says so, lines of text
// otherwise.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "antipode/io.hpp"
#include "cli/options.hpp"

namespace antipode::cli {

TableFormat output_format(const CommonOptions& options, const std::string& path);
// A UsageError for a name that cannot be written, and for labels that break a line of text.
void check_output(const CommonOptions& options, const Graph& whole, const std::string& path);

// Values of the vertices of a graph at their places in the file; none at others.
template <class Value>
Column column_of(const Graph& graph, std::string name, std::span<const Value> values) {
  const Value none = std::numeric_limits<Value>::has_quiet_NaN
                         ? std::numeric_limits<Value>::quiet_NaN()
                         : std::numeric_limits<Value>::max();  // kNoVertex, kUnreached, kNoPath
  std::vector<Value> places(graph.labels().count(), none);
  for (Vertex v = 0; v < graph.order(); ++v) places[graph.origin(v)] = values[v];
  return {std::move(name), std::move(places)};
}
template <class Value>
Column column_of(const Graph& graph, std::string name, const std::vector<Value>& values) {
  return column_of(graph, std::move(name), std::span<const Value>(values));
}

// The column 'vertex', of all vertices of the file or of those listed, and others behind it.
Table table_of(const Graph& graph, std::vector<Column> columns);
Table table_of(const Graph& graph, std::span<const Vertex> listed);

}  // namespace antipode::cli
