// The first lines of a text file, and what their words say: numbers or names, a header, a
// separator.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace antipode {

// Lines that are no comments, up to 200, each as it stands and as its words.
struct Sample {
  explicit Sample(std::string_view head);

  std::vector<std::string_view> texts;
  std::vector<std::vector<std::string_view>> lines;
  bool has_hash_comments = false;
};

bool is_number(std::string_view word);   // digits and '-': an id, or one that is refused as an id
bool is_decimal(std::string_view word);  // 1.0, -3e5: a number that is no id
bool is_one(std::string_view word);      // 1, 1.0: a weight that is no length of its own
bool starts_comment(char c);             // '#' or '%'

// The number of columns in a line from the third on; `lengths` is set where the third may be one.
// Attributes in braces, as NetworkX writes them, are one column.
std::uint64_t further_columns(std::string_view rest, bool& lengths);

// Whether the first line is a header: words above lines that all begin with two numbers.
bool has_header(const Sample& sample);

// The columns, from 0, that a header calls source and target, or by other usual names; and the one
// of lengths.
std::optional<std::pair<std::size_t, std::size_t>> usual_ends(
    const std::vector<std::string_view>& names);
std::optional<std::size_t> usual_length(const std::vector<std::string_view>& names);

// ',' ';' or tab where all lines have the same number of fields between them, and blanks do not
// explain the lines as well; else 0.
char separator_of(const Sample& sample);

// Whether every line lists a vertex and its neighbours: words of one kind, several counts above 2,
// or lines of one word beside lines of more than two. Each is the end of the reading of such a file
// as an edge list.
bool looks_like_adjacency(const Sample& sample);

}  // namespace antipode
