// The first row of a table as a header: the names of its columns.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/formats.hpp"
#include "io/sample.hpp"

namespace antipode {

// Whether the first row is a header: words above rows that all start with two numbers.
bool has_header(const std::vector<Row>& rows);

// Whether the rows have names of their own, for which the header has no column: numbers, or
// anything if the header has the usual names of ends.
bool has_row_names(const std::vector<Row>& rows);

// The columns, from 0, that a header calls source and target (or other usual names), and the column
// of lengths.
std::optional<std::pair<std::size_t, std::size_t>> usual_ends(const Row& names);
std::optional<std::size_t> usual_length(const Row& names);
// The ends that the first row names. None if it has more words than the next row: then names
// contain blanks.
std::optional<std::pair<std::size_t, std::size_t>> usual_ends(const std::vector<Row>& rows);

// Consumes the comments before the first row, or that row as well.
void skip_comments(Input& input);
void skip_first_row(Input& input);

// Consumes the header of an edge list, if there is one, and adds a notice. Returns the number of
// its columns. An InputError if the ends are not the first two columns.
std::size_t take_header(Input& input, std::vector<std::string>& notices);

// Adds a notice if the first edge between names may be a header: its ends have no other edge.
void suspect_header(ParsedGraph& graph);

}  // namespace antipode
