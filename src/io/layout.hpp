// Which columns of a table are the ends of its edges.
#pragma once

#include <optional>
#include <string_view>

#include "io/input.hpp"
#include "io/sample.hpp"

namespace antipode {

// Where the ends of an edge stand, columns from 0.
struct Layout {
  char separator = ',';
  std::size_t from = 0, to = 1;
  std::optional<std::size_t> length;
  std::size_t columns = 2;  // of the rows
  bool header = false, numbers = false,
       named = false;  // named: the columns were found by their names
  Row names;           // of the columns, where there is a header
};

// From the first lines, and what --columns says. An InputError where the table has no edges, a
// UsageError where it has no such columns.
Layout layout_of(Input& input, std::string_view columns);

}  // namespace antipode
