// Rows that are no edges: matrices, adjacency lists, relations, tables with row names.
#pragma once

#include <string_view>
#include <vector>

#include "io/sample.hpp"

namespace antipode {

// The foreign format whose shape the rows have, read with this separator; empty where they may be
// edges. `whole`: there are no other rows.
std::string_view foreign_shape(const std::vector<Row>& rows, char separator, bool whole);

// Whether each of the further columns may as well be a neighbour as a weight.
bool may_list_neighbours(const std::vector<Row>& rows);

}  // namespace antipode
