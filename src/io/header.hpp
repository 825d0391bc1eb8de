// What stands above the rows of a table, or seems to: the names of its columns.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/formats.hpp"
#include "io/sample.hpp"

namespace antipode {

// Whether the first row is a header: words above rows that all begin with two numbers.
bool has_header(const std::vector<Row>& rows);

// Whether the rows begin with names of their own, above which the header has no word: numbers, or
// anything below the usual names of ends.
bool has_row_names(const std::vector<Row>& rows);

// The columns, from 0, that a header calls source and target, or by other usual names; and the one
// of lengths.
std::optional<std::pair<std::size_t, std::size_t>> usual_ends(const Row& names);
std::optional<std::size_t> usual_length(const Row& names);
// The ends that the first row names, where no names have blanks in them: then it has more words.
std::optional<std::pair<std::size_t, std::size_t>> usual_ends(const std::vector<Row>& rows);

// Uses up the comments before the first row, or that row as well.
void skip_comments(Input& input);
void skip_first_row(Input& input);

// Uses up the header of an edge list, if it has one, with a notice; how many columns it names. An
// InputError where other columns than the first two are the ends.
std::size_t take_header(Input& input, std::vector<std::string>& notices);

// A notice where the first of the edges between names may be a header: its ends have no other.
void suspect_header(ParsedGraph& graph);

}  // namespace antipode
