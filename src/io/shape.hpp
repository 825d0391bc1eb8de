// Recognizes rows that are not edges: matrices, adjacency lists, relations, tables with row names.
#pragma once

#include <string_view>
#include <vector>

#include "io/sample.hpp"

namespace antipode {

// The foreign format whose shape the rows have, read with this separator; empty if they may be
// edges. `whole`: these are all rows.
std::string_view foreign_shape(const std::vector<Row>& rows, char separator, bool whole);

// Whether every further column may as well be a neighbour as a weight.
bool may_list_neighbours(const std::vector<Row>& rows);

}  // namespace antipode
