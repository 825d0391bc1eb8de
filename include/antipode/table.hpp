// Answers side by side: one row a vertex or an edge, columns of one kind each.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// Vertices of the graph as read, written by their labels.
struct LabelColumn {
  std::vector<Vertex> vertices;
};

struct Column {
  std::string name;
  // A row without a value has kNoVertex, kNoPath or NaN. A Length is in the unit of the table.
  std::variant<LabelColumn, std::vector<Vertex>, std::vector<Length>, std::vector<double>> values;
};

// All columns have as many values.
struct Table {
  Labels labels;
  LengthUnit unit = {};
  std::vector<Column> columns = {};
  std::size_t rows() const;
};

}  // namespace antipode
