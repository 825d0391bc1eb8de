// Comma-separated values: an edge a line, fields between ',' ';' or tabs, names perhaps in quotes
// ("" is a quote in one). A header is recognized by known names, or by words above numbers;
// --columns says by name or number which columns are the ends. Where both are numbers, blocks are
// read as those of an edge list; else every block has a dictionary of its own.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

#include "antipode/error.hpp"
#include "io/blocks.hpp"
#include "io/edge_pieces.hpp"
#include "io/fields.hpp"
#include "io/formats.hpp"
#include "io/names.hpp"
#include "io/sample.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

using Row = std::vector<std::string>;

// Where the ends of an edge stand, columns from 0.
struct Layout {
  char separator = ',';
  std::size_t from = 0, to = 1;
  std::optional<std::size_t> length;
  std::size_t columns = 2;
  bool header = false, numbers = false,
       named = false;  // named: the columns were found by their names
  Row names;           // of the columns, where there is a header
};

struct NamedPiece {
  Dictionary dictionary;
  std::vector<Edge> edges;
  BlockColumns columns;
  bool lengths = false;
};

Row row_of(std::string_view line, char separator) {
  Row row;
  for (Fields fields(line, separator); fields.next();) row.emplace_back(fields.field());
  return row;
}

// An id, or what is refused as one: 1.0 is no name.
bool is_value(const std::string& field) { return is_number(field) || is_decimal(field); }

// The columns that go by a usual name.
void find_by_usual_names(Layout& layout, const Row& names) {
  const auto ends = usual_ends({names.begin(), names.end()});
  if (!ends) return;
  std::tie(layout.from, layout.to) = *ends;
  layout.header = layout.named = true;
}

// Words in the first line above numbers in all the others, in some column.
bool words_above_numbers(const std::vector<Row>& rows) {
  if (rows.size() < 2) return false;
  if (std::any_of(rows.front().begin(), rows.front().end(), is_value)) return false;
  for (std::size_t c = 0; c < rows.front().size(); ++c) {
    if (rows.front()[c].empty()) continue;
    if (std::all_of(rows.begin() + 1, rows.end(),
                    [&](const Row& row) { return c < row.size() && is_value(row[c]); }))
      return true;
  }
  return false;
}

// A column that --columns names by its number, from 1, or by the word in the first line.
std::size_t asked_column(const std::string& word, Layout& layout, const Row& first) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc{} && end == word.data() + word.size()) {
    if (number < 1 || number > first.size())
      throw UsageError(fmt::format("--columns: there is no column {}; the first line has {}",
                                   number, first.size()));
    return number - 1;
  }
  const auto found = std::find(first.begin(), first.end(), word);
  if (found == first.end()) {
    std::string known;
    for (const std::string& name : first) known += (known.empty() ? "" : ", ") + shown(name);
    throw UsageError(
        fmt::format("--columns: the first line has no column {}; it has {}", shown(word), known));
  }
  layout.header = true;
  return static_cast<std::size_t>(found - first.begin());
}

void take_asked(Layout& layout, std::string_view columns, const Row& first) {
  const Row asked = row_of(columns, ',');
  if (asked.size() < 2 || asked.size() > 3)
    throw UsageError(
        "--columns takes 'source,target' or 'source,target,weight', by name or number from 1");
  layout.from = asked_column(asked[0], layout, first);
  layout.to = asked_column(asked[1], layout, first);
  if (asked.size() == 3) layout.length = asked_column(asked[2], layout, first);
  layout.named = true;
}

std::vector<Row> rows_of(const Input& input, const Sample& sample, char separator) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < sample.texts.size(); ++i) {
    if (sample.lines[i].empty()) continue;
    try {
      rows.push_back(row_of(sample.texts[i], separator));
    } catch (const Fault&) {
      if (i == 0)
        throw InputError(input.name(), "the first line has a quoted name that is not closed");
      return rows;  // found again, with its line, when the file is read
    }
  }
  return rows;
}

Layout layout_of(Input& input, std::string_view columns) {
  const Sample sample(input.head());
  if (sample.lines.empty())
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  Layout layout;
  layout.separator = separator_of(sample);
  if (layout.separator == 0) {  // lines that differ, or nothing but blanks: the first line decides
    const std::string_view first = sample.texts.front();
    const std::size_t at = first.find_first_of(",;");
    layout.separator = at != std::string_view::npos ? first[at] : ' ';
  }
  const std::vector<Row> rows = rows_of(input, sample, layout.separator);
  const Row& first = rows.front();
  layout.columns = first.size();
  layout.header = words_above_numbers(rows);
  if (columns.empty()) {
    find_by_usual_names(layout, first);
  } else {
    take_asked(layout, columns, first);
  }
  if (layout.header) layout.names = first;
  if (!layout.length && layout.header) layout.length = usual_length({first.begin(), first.end()});
  if (!layout.length && !layout.header && columns.empty()) layout.length = 2;
  const auto numbers = [&](const Row& row) {
    return std::max(layout.from, layout.to) >= row.size() ||
           (is_value(row[layout.from]) && is_value(row[layout.to]));
  };
  layout.numbers = rows.size() > (layout.header ? 1u : 0u) &&
                   std::all_of(rows.begin() + (layout.header ? 1 : 0), rows.end(), numbers);
  return layout;
}

// One line: the two ends as they stand, what may be a length, and how many columns there are.
class Line {
 public:
  // False where there is nothing in it.
  bool parse(std::string_view text, const Layout& layout, bool& lengths) {
    columns_ = 0;
    Tokens tokens(text);
    if (!tokens.next_in_line() || starts_comment(tokens.peek())) return false;
    for (Fields fields(text, layout.separator); fields.next(); ++columns_) {
      if (columns_ == layout.from) take(from_, fields);
      if (columns_ == layout.to) take(to_, fields);
      if (columns_ == layout.length && !lengths)
        lengths =
            !is_one(fields.field()) && (is_number(fields.field()) || is_decimal(fields.field()));
    }
    const std::size_t last = std::max(layout.from, layout.to);
    if (columns_ <= last)
      throw Fault{text.data(), fmt::format("{} column{}, where the end of an edge is column {}",
                                           columns_, columns_ == 1 ? "" : "s", last + 1)};
    if (from_.empty() || to_.empty()) throw Fault{text.data(), "an edge has an end without a name"};
    return true;
  }
  const std::string& from() const { return from_; }
  const std::string& to() const { return to_; }
  std::size_t columns() const { return columns_; }

 private:
  static void take(std::string& end, const Fields& fields) { end.assign(fields.field()); }

  std::string from_, to_;
  std::size_t columns_ = 0;
};

template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::uint64_t id_of(const std::string& field, const char* line) {
  try {
    return Tokens(field).number("a vertex id");
  } catch (const Fault& fault) {
    throw Fault{line, fault.what};
  }
}

EdgePiece parse_numbers(std::string_view text, const Layout& layout) {
  EdgePiece piece;
  Line line;
  for_each_line(text, [&](std::string_view each) {
    const std::uint64_t number = piece.columns.lines++;
    if (!line.parse(each, layout, piece.lengths)) return;
    piece.columns.see(number, line.columns());
    const std::uint64_t from = id_of(line.from(), each.data());
    piece.add(from, id_of(line.to(), each.data()));
  });
  return piece;
}

NamedPiece parse_names(std::string_view text, const Layout& layout) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos)
    throw Fault{text.data() + nul, "a NUL byte: this is not a text file"};
  NamedPiece piece;
  Line line;
  for_each_line(text, [&](std::string_view each) {
    const std::uint64_t number = piece.columns.lines++;
    if (!line.parse(each, layout, piece.lengths)) return;
    piece.columns.see(number, line.columns());
    try {
      const Vertex source = piece.dictionary.id(line.from());
      piece.edges.push_back({source, piece.dictionary.id(line.to())});
    } catch (const Fault& fault) {
      throw Fault{each.data(), fault.what};
    }
  });
  return piece;
}

ParsedGraph read_numbers(Input& input, const Layout& layout) {
  EdgePieces pieces(input.lines_read());
  parse_blocks(
      input, [&](std::string_view text) { return parse_numbers(text, layout); },
      [&](std::string_view, EdgePiece&& piece) { pieces.take(std::move(piece)); });
  if (pieces.edges == 0)
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  return with_ids_that_occur(std::move(pieces), input.name());
}

ParsedGraph read_names(Input& input, const Layout& layout) {
  ParsedGraph graph;
  Dictionary all;
  FileColumns columns(input.lines_read());
  parse_blocks(
      input, [&](std::string_view text) { return parse_names(text, layout); },
      [&](std::string_view, NamedPiece&& piece) {
        std::vector<Vertex> global;
        for (const auto& name : piece.dictionary.names()) global.push_back(all.id(name));
        for (Edge& e : piece.edges) e = {global[e.from], global[e.to]};
        graph.has_lengths |= piece.lengths;
        columns.take(piece.columns);
        graph.edges.push_back(std::move(piece.edges));
        checked_order(all.names().size(), input.name());
      });
  graph.order = checked_order(all.names().size(), input.name());
  if (graph.order == 0)
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  graph.labels = labels_of(all.names());
  columns.add_notice(graph.notices);
  return graph;
}

void skip_header(Input& input) {
  while (const auto line = input.line()) {
    Tokens tokens(*line);
    if (tokens.next_in_line() && !starts_comment(tokens.peek())) return;
  }
}

}  // namespace

ParsedGraph read_csv(Input& input) { return read_columns(input, {}); }

ParsedGraph read_columns(Input& input, std::string_view columns) {
  const Layout layout = layout_of(input, columns);
  if (layout.columns < 2) throw InputError(input.name(), "one column where an edge needs two");
  std::vector<std::string> notices;
  if (layout.header) {
    skip_header(input);
    notices.push_back(fmt::format("line {} is taken as a header: edges go from {} to {}",
                                  input.lines_read(), shown(layout.names[layout.from]),
                                  shown(layout.names[layout.to])));
  }
  if (!layout.named && layout.columns > 2)
    notices.emplace_back(
        "the first two columns are taken as the ends of an edge; --columns names others");
  ParsedGraph graph = layout.numbers ? read_numbers(input, layout) : read_names(input, layout);
  graph.notices.insert(graph.notices.begin(), notices.begin(), notices.end());
  return graph;
}

}  // namespace antipode
