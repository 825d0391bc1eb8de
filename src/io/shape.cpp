#include "io/shape.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>

#include "io/header.hpp"

namespace antipode {

namespace {

using Words = std::set<std::string_view>;

template <class Test>
bool all_of(const std::vector<Row>& rows, Test test) {
  return std::all_of(rows.begin(), rows.end(), test);
}

bool have_length(const std::vector<Row>& rows, std::size_t length) {
  return all_of(rows, [=](const Row& row) { return row.size() == length; });
}

Words first_words(const std::vector<Row>& rows) {
  Words words;
  for (const Row& row : rows) words.insert(row[0]);
  return words;
}

bool have_attributes_late(const std::vector<Row>& rows) {
  constexpr std::size_t kLate = 3;
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.size() > kLate && std::any_of(row.begin() + kLate, row.end(), are_attributes);
  });
}

// As many rows as columns, or perhaps more than were read.
bool is_square(std::size_t rows, std::size_t columns, bool whole) {
  return rows == columns || (!whole && rows < columns);
}

bool are_zeros_and_ones(const std::vector<Row>& rows, bool whole) {
  const std::size_t columns = rows[0].size();
  return columns > 2 && is_square(rows.size(), columns, whole) && have_length(rows, columns) &&
         all_of(rows, [](const Row& row) {
           return std::all_of(row.begin(), row.end(),
                              [](const std::string& cell) { return cell == "0" || cell == "1"; });
         });
}

// Whether the names above the columns are those before the rows.
bool are_labelled_cells(const std::vector<Row>& rows, bool whole) {
  if (rows.size() < 2 || rows[1].size() < 3) return false;
  const std::size_t columns = rows[1].size(), corner = rows[0].size() == columns ? 1 : 0;
  if (rows[0].size() - corner + 1 != columns || !is_square(rows.size(), columns, whole))
    return false;
  if (!rows[0][0].empty() && std::any_of(rows[0].begin(), rows[0].end(), is_value)) return false;
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].size() != columns || rows[i][0] != rows[0][i - 1 + corner] ||
        !std::all_of(rows[i].begin() + 1, rows[i].end(), is_value))
      return false;
  return true;
}

// "ann -> bob"; or, unless commas separate, "ann knows bob": few words between many ends, and none
// of them is an end.
bool are_relations(const std::vector<Row>& rows, char separator) {
  if (!all_of(rows, [](const Row& row) { return row.size() >= 3; })) return false;
  const auto is_arrow = [](const Row& row) {
    return row[1].size() > 1 && row[1].find_first_not_of("-<>=") == std::string::npos;
  };
  if (all_of(rows, is_arrow)) return true;
  if (separator == ',' || separator == ';' || rows.size() < 2 || !have_length(rows, 3))
    return false;
  Words between, ends = first_words(rows);
  bool linked = false;
  for (const Row& row : rows) {
    between.insert(row[1]);
    linked |= !is_value(row[2]) && ends.contains(row[2]);
  }
  for (const Row& row : rows) ends.insert(row[2]);
  return linked && 2 * between.size() <= rows.size() &&
         std::none_of(between.begin(), between.end(),
                      [&](std::string_view word) { return is_value(word) || ends.contains(word); });
}

// "ann 2", then two lines of a neighbour and its attributes, and so on.
bool is_multiline(const std::vector<Row>& rows) {
  bool some = false;
  std::uint64_t neighbours = 0;
  for (const Row& row : rows) {
    const bool has_attributes = std::any_of(row.begin() + 1, row.end(), are_attributes);
    if (has_attributes != (neighbours > 0) || row.size() < 2) return false;
    some |= has_attributes;
    if (has_attributes) {
      --neighbours;
      continue;
    }
    const std::string& count = row.back();
    const auto [end, error] =
        std::from_chars(count.data(), count.data() + count.size(), neighbours);
    if (error != std::errc{} || end != count.data() + count.size()) return false;
  }
  return some;
}

bool has_colons(const std::vector<Row>& rows) {
  return all_of(rows, [](const Row& row) { return row[0].size() > 1 && row[0].ends_with(':'); });
}

// Words of one kind, and either several lengths above 2 or rows of one word beside longer ones.
// Neither can be an edge list. Rows of names between commas may differ in length, since they may be
// texts.
bool has_ragged_rows(const std::vector<Row>& rows, char separator) {
  std::set<std::size_t> counts;
  const bool numbers = is_number(rows[0][0]);
  std::size_t lonely = 0, met = 0;
  std::map<std::string_view, int> times;
  for (const Row& row : rows) {
    for (const std::string& word : row) {
      if (word.empty() || is_number(word) != numbers || is_decimal(word) || word[0] == '{')
        return false;
      ++times[word];
    }
    if (row.size() > 2) counts.insert(row.size());
  }
  for (const Row& row : rows) {
    if (row.size() > 1) continue;
    ++lonely;
    met += times[row[0]] > 1 ? 1 : 0;
  }
  if (lonely == 0) return counts.size() > 1 && (numbers || separator == kWords);
  return !counts.empty() || (met > 0 && first_words(rows).size() == rows.size());
}

// Rows of equal length with different first words; every other word is a first word, too, and no
// row repeats a word. Names cannot be weights, but numbers may be.
bool names_only_first_words(const std::vector<Row>& rows) {
  const Words first = first_words(rows);
  return rows.size() > 2 && first.size() == rows.size() && rows[0].size() > 2 &&
         have_length(rows, rows[0].size()) && all_of(rows, [&](const Row& row) {
           return Words(row.begin(), row.end()).size() == row.size() &&
                  std::all_of(row.begin(), row.end(),
                              [&](const std::string& word) { return first.contains(word); });
         });
}

// Whether further columns look like vertices, not lengths: "1 2 3", "2 4 5", "3 6 7". Rows have one
// length and different first numbers. All columns together contain every number from the smallest
// to the largest; the first two do not.
bool completes_numbers(const std::vector<Row>& rows) {
  if (rows.size() < 3 || rows[0].size() < 3 || !have_length(rows, rows[0].size()) ||
      first_words(rows).size() != rows.size())
    return false;
  std::set<std::uint64_t> ends, all;
  for (const Row& row : rows) {
    std::set<std::uint64_t> own;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::uint64_t number = 0;
      const char* const last = row[i].data() + row[i].size();
      const auto [end, error] = std::from_chars(row[i].data(), last, number);
      if (error != std::errc{} || end != last || !own.insert(number).second) return false;
      if (i < 2) ends.insert(number);
      all.insert(number);
    }
  }
  return ends.size() < all.size() && *all.rbegin() - *all.begin() + 1 == all.size();
}

// Whether a row that lists a vertex is listed by the row of that vertex.
bool is_mutual(const std::vector<Row>& rows, bool whole) {
  if (rows.size() < 3 || rows[0].size() < 3 || !have_length(rows, rows[0].size())) return false;
  std::map<std::string_view, const Row*> row_of;
  for (const Row& row : rows)
    if (!row_of.emplace(row[0], &row).second) return false;
  bool some = false;
  for (const Row& row : rows)
    for (std::size_t i = 1; i < row.size(); ++i) {
      const auto other = row_of.find(row[i]);
      if (other == row_of.end() && !whole) continue;
      if (other == row_of.end() || row[i] == row[0] ||
          std::find(other->second->begin() + 1, other->second->end(), row[0]) ==
              other->second->end())
        return false;
      some = true;
    }
  return some;
}

bool is_adjacency_list(const std::vector<Row>& rows, char separator, bool whole) {
  return has_colons(rows) || has_ragged_rows(rows, separator) || is_mutual(rows, whole) ||
         (!is_value(rows[0][0]) && names_only_first_words(rows));
}

}  // namespace

std::string_view foreign_shape(const std::vector<Row>& rows, char separator, bool whole) {
  if (rows.empty()) return {};
  if (cuts_names(rows) || (separator == kWords && have_attributes_late(rows)))
    return "names with blanks";
  if (are_zeros_and_ones(rows, whole) || are_labelled_cells(rows, whole)) return "adjacency matrix";
  if (has_row_names(rows)) return "row names";
  if (are_relations(rows, separator)) return "relation";
  if (is_multiline(rows)) return "multiline adjacency list";
  return is_adjacency_list(rows, separator, whole) ? "adjacency list" : std::string_view();
}

bool may_list_neighbours(const std::vector<Row>& rows) {
  return !rows.empty() && (names_only_first_words(rows) || completes_numbers(rows));
}

}  // namespace antipode
