// Which columns of a table are the ends of its edges.
#pragma once

#include <optional>
#include <string_view>

#include "io/input.hpp"
#include "io/sample.hpp"

namespace antipode {

// The columns of the ends of an edge, from 0.
struct Layout {
  char separator = ',';
  std::size_t from = 0, to = 1;
  std::optional<std::size_t> length;
  std::size_t columns = 2;  // of the rows
  bool header = false, numbers = false,
       named = false;  // named: the columns were found by their names
  Row names;           // of the columns, if there is a header
};

// From the first lines and the value of --columns. An InputError if the table has no edges; a
// UsageError if it lacks such columns.
Layout layout_of(Input& input, std::string_view columns);

}  // namespace antipode
