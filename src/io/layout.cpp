// Finds the columns of a table. A header is recognized by known names, or by words above numbers.
// --columns gives the ends by name or number.
#include "io/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "antipode/error.hpp"
#include "io/fields.hpp"
#include "io/foreign.hpp"
#include "io/header.hpp"
#include "io/shape.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

// Sets the columns that have usual names.
void find_by_usual_names(Layout& layout, const Row& names) {
  const auto ends = usual_ends(names);
  if (!ends) return;
  std::tie(layout.from, layout.to) = *ends;
  layout.header = layout.named = true;
}

// Whether some column has a word in the first line above numbers in all others. The first column
// may lack a name, if two others have one.
bool words_above_numbers(const std::vector<Row>& rows) {
  if (rows.size() < 2) return false;
  const Row& names = rows.front();
  if (std::any_of(names.begin(), names.end(), is_value)) return false;
  const bool is_numbered = names.size() > 2 && !names[1].empty() && !names[2].empty();
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (names[c].empty() && (c > 0 || !is_numbered)) continue;
    if (std::all_of(rows.begin() + 1, rows.end(),
                    [&](const Row& row) { return c < row.size() && is_value(row[c]); }))
      return true;
  }
  return false;
}

// The index of a column that --columns gives by number, from 1, or by the word in the first line.
std::size_t asked_column(const std::string& word, Layout& layout, const Row& first) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc{} && end == word.data() + word.size()) {
    const std::size_t most = std::max(first.size(), layout.columns);
    if (number < 1 || number > most)
      throw UsageError(fmt::format("--columns: there is no column {}; there are {}", number, most));
    return number - 1;
  }
  const auto found = std::find(first.begin(), first.end(), word);
  if (found == first.end()) {
    std::string known;
    for (const std::string& name : first) known += (known.empty() ? "" : ", ") + show(name);
    throw UsageError(
        fmt::format("--columns: the first line has no column {}; it has {}", show(word), known));
  }
  layout.header = layout.named = true;
  return static_cast<std::size_t>(found - first.begin());
}

void take_asked(Layout& layout, std::string_view columns, const Row& first) {
  Row asked;
  for (Fields fields(columns, ','); fields.next();) asked.emplace_back(fields.field());
  if (asked.size() < 2 || asked.size() > 3)
    throw UsageError(
        "--columns takes 'source,target' or 'source,target,weight', by name or number from 1");
  layout.from = asked_column(asked[0], layout, first);
  layout.to = asked_column(asked[1], layout, first);
  if (asked.size() == 3) layout.length = asked_column(asked[2], layout, first);
  if (layout.from == layout.to)
    throw UsageError(fmt::format("--columns: column {} is both ends of every edge, {} and {}",
                                 layout.from + 1, show(asked[0]), show(asked[1])));
}

// Refuses a table whose shape is that of another format. Columns found by name are ends whatever
// the shape, unless names and columns do not match.
void refuse_shape(const Input& input, const Layout& layout, const std::vector<Row>& rows,
                  bool whole) {
  const std::string_view shape = foreign_shape(rows, layout.separator, whole);
  const bool is_table = layout.named && shape != "row names" && shape != "names with blanks";
  if (const Foreign* const foreign = foreign_format(shape); foreign != nullptr && !is_table)
    throw InputError(input.name(), refusal(*foreign));
}

}  // namespace

Layout layout_of(Input& input, std::string_view columns) {
  const Sample sample(input.head());
  if (sample.lines.empty())
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  Layout layout;
  layout.separator = separator_of(sample);
  if (layout.separator == 0) {  // lines differ, or only blanks separate: the first line decides
    const std::string_view first = sample.texts.front();
    const std::size_t at = first.find_first_of(",;");
    layout.separator = at != std::string_view::npos ? first[at] : ' ';
  }
  const std::vector<Row> rows = rows_of(sample, layout.separator);
  if (rows.empty())
    throw InputError(input.name(), "the first line has a quoted name that is not closed");
  const Row& first = rows.front();
  layout.columns = rows[rows.size() > 1 ? 1 : 0].size();
  layout.header = words_above_numbers(rows) || has_row_names(rows);
  if (columns.empty()) {
    if (layout.header && first[0].empty() && first.size() > 2)
      layout.from = 1, layout.to = 2;  // rows are numbered
    find_by_usual_names(layout, first);
  } else {
    take_asked(layout, columns, first);
  }
  if (columns.empty() || layout.named) refuse_shape(input, layout, rows, sample.whole);
  if (std::max(layout.columns, first.size()) < 2)
    throw InputError(input.name(), "one column where an edge needs two");
  if (layout.header) layout.names = first;
  if (!layout.length && layout.header) layout.length = usual_length(first);
  if (!layout.length && !layout.header && columns.empty()) layout.length = 2;
  const auto numbers = [&](const Row& row) {
    return std::max(layout.from, layout.to) >= row.size() ||
           (is_value(row[layout.from]) && is_value(row[layout.to]));
  };
  layout.numbers = rows.size() > (layout.header ? 1u : 0u) &&
                   std::all_of(rows.begin() + (layout.header ? 1 : 0), rows.end(), numbers);
  return layout;
}

}  // namespace antipode
