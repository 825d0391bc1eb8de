// The first lines of a text file, and what their words are: numbers or names, and the separator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace antipode {

// Lines that are not comments, up to 200, each as text and as words.
struct Sample {
  explicit Sample(std::string_view head);

  std::vector<std::string_view> texts;
  std::vector<std::vector<std::string_view>> lines;
  bool has_hash_comments = false;
  bool whole = true;  // whether these are all lines
};

using Row = std::vector<std::string>;
inline constexpr char kWords = 0;  // separator: blanks; quotes are letters

// The fields of all lines that are not empty, up to the first line with an unclosed quote.
std::vector<Row> rows_of(const Sample& sample, char separator);

bool is_number(std::string_view word);       // digits and '-': an id, or refused as one
bool is_decimal(std::string_view word);      // 1.0, -3e5: a number that is no id
bool is_value(std::string_view word);        // a number or a decimal: not a name
bool is_length(std::string_view word);       // a value other than 1, also with a decimal comma
bool are_attributes(std::string_view word);  // {} or {'…, as NetworkX writes them
bool starts_comment(char c);                 // '#' or '%'

// The number of columns from the third on; sets `lengths` if the third may be a length. Attributes
// in braces, as NetworkX writes them, are one column; after other words they are a Fault.
std::uint64_t further_columns(std::string_view rest, bool& lengths);

// ',' ';' or tab if all lines have the same number of fields between them, and blanks do not
// explain the lines as well. ' ' if blanks separate and some words are quoted; else 0. The first
// line may lack one field: row names have no header.
char separator_of(const Sample& sample);

// Whether the separator occurs inside names, as in "(0, 0),(1, 0)".
bool cuts_names(const std::vector<Row>& rows);

}  // namespace antipode
