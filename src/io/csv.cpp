// Comma-separated values: one edge per line, fields separated by ',' ';' or tabs, names perhaps in
// quotes ("" inside quotes is a quote). If both ends are numbers, blocks are read as those of an
// edge list. Otherwise every block has a dictionary of its own.
#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "io/blocks.hpp"
#include "io/edge_pieces.hpp"
#include "io/fields.hpp"
#include "io/formats.hpp"
#include "io/header.hpp"
#include "io/layout.hpp"
#include "io/names.hpp"
#include "io/sample.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

struct NamedPiece {
  Dictionary dictionary;
  std::vector<Edge> edges;
  BlockColumns columns;
  BlockLengths kept_lengths;
  bool lengths = false, marked = false;  // marked: rows that start like comments
};

// A line that starts like a comment is a row of names if it has as many fields as the table.
bool is_comment(std::string_view text, const Layout& layout) {
  const std::size_t mark = text.find_first_of("#%");
  if (layout.numbers || mark + 1 == text.size() || is_blank(text[mark + 1])) return true;
  try {
    std::size_t count = 0;
    for (Fields fields(text, layout.separator); fields.next();) ++count;
    return count != layout.columns;
  } catch (const Fault&) {
    return true;
  }
}

// One line: its two ends as text, whether it has a length, and its number of columns.
class Line {
 public:
  explicit Line(Lengths wanted) : wanted_(wanted) {}
  // False if the line is empty or a comment.
  bool parse(std::string_view text, const Layout& layout, bool& lengths) {
    columns_ = 0;
    length_.clear();
    Tokens tokens(text);
    if (!tokens.next_in_line()) return false;
    marked_ = starts_comment(tokens.peek());
    if (marked_ && is_comment(text, layout)) return false;
    for (Fields fields(text, layout.separator); fields.next(); ++columns_) {
      if (columns_ == layout.from) take(from_, fields);
      if (columns_ == layout.to) take(to_, fields);
      if (columns_ != layout.length) continue;
      if (wanted_ == Lengths::used) take(length_, fields);
      if (!lengths) lengths = is_length(fields.field());
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
  const std::string& length() const { return length_; }  // empty: it has none
  std::size_t columns() const { return columns_; }
  bool marked() const { return marked_; }  // starts like a comment

 private:
  static void take(std::string& end, const Fields& fields) { end.assign(fields.field()); }

  Lengths wanted_;
  std::string from_, to_, length_;
  std::size_t columns_ = 0;
  bool marked_ = false;
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

EdgePiece parse_numbers(std::string_view text, const Layout& layout, Lengths wanted) {
  EdgePiece piece;
  Line line(wanted);
  for_each_line(text, [&](std::string_view each) {
    const std::uint64_t number = piece.columns.lines++;
    if (!line.parse(each, layout, piece.lengths)) return;
    piece.columns.see(number, line.columns());
    const std::uint64_t from = id_of(line.from(), each.data());
    piece.add(from, id_of(line.to(), each.data()));
    if (wanted == Lengths::used) piece.kept_lengths.take(line.length(), each.data());
  });
  return piece;
}

NamedPiece parse_names(std::string_view text, const Layout& layout, Lengths wanted) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos)
    throw Fault{text.data() + nul, "a NUL byte: this is not a text file"};
  NamedPiece piece;
  Line line(wanted);
  for_each_line(text, [&](std::string_view each) {
    const std::uint64_t number = piece.columns.lines++;
    if (!line.parse(each, layout, piece.lengths)) return;
    piece.columns.see(number, line.columns());
    piece.marked |= line.marked();
    try {
      const Vertex source = piece.dictionary.id(line.from());
      piece.edges.push_back({source, piece.dictionary.id(line.to())});
    } catch (const Fault& fault) {
      throw Fault{each.data(), fault.what};
    }
    if (wanted == Lengths::used) piece.kept_lengths.take(line.length(), each.data());
  });
  return piece;
}

ParsedGraph read_numbers(Input& input, const Layout& layout) {
  EdgePieces pieces(input.lines_read(), layout.names.size());
  const Lengths wanted = input.lengths();
  pieces.keeps_lengths = wanted == Lengths::used;
  parse_blocks(
      input, [&](std::string_view text) { return parse_numbers(text, layout, wanted); },
      [&](std::string_view, EdgePiece&& piece) { pieces.take(std::move(piece)); });
  if (pieces.edges == 0)
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  return with_ids_that_occur(std::move(pieces), input.name());
}

ParsedGraph read_names(Input& input, const Layout& layout) {
  ParsedGraph graph;
  Dictionary all;
  FileColumns columns(input.lines_read(), layout.names.size());
  bool marked = false;
  FileLengths lengths;
  const Lengths wanted = input.lengths();
  parse_blocks(
      input, [&](std::string_view text) { return parse_names(text, layout, wanted); },
      [&](std::string_view, NamedPiece&& piece) {
        std::vector<Vertex> global;
        for (const auto& name : piece.dictionary.names()) global.push_back(all.id(name));
        for (Edge& e : piece.edges) e = {global[e.from], global[e.to]};
        graph.has_lengths |= piece.lengths;
        lengths.take(std::move(piece.kept_lengths));
        columns.take(piece.columns);
        marked |= piece.marked;
        graph.edges.push_back(std::move(piece.edges));
        checked_order(all.names().size(), input.name());
      });
  graph.order = checked_order(all.names().size(), input.name());
  if (graph.order == 0)
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  graph.labels = labels_of(all.names());
  columns.add_notice(graph.notices);
  if (wanted == Lengths::used) lengths.move_to(graph);
  if (marked)
    graph.notices.emplace_back(
        "lines that begin with '#' or '%' and have all columns are taken as rows, not as comments");
  if (!layout.header) suspect_header(graph);
  return graph;
}

}  // namespace

ParsedGraph read_csv(Input& input) { return read_columns(input, {}); }

ParsedGraph read_columns(Input& input, std::string_view columns) {
  const Layout layout = layout_of(input, columns);
  std::vector<std::string> notices;
  if (layout.header) {
    skip_first_row(input);
    const auto name = [&](std::size_t column) {
      return column < layout.names.size() ? show(layout.names[column])
                                          : fmt::format("column {}", column + 1);
    };
    notices.push_back(fmt::format("line {} is taken as a header: edges go from {} to {}",
                                  input.lines_read(), name(layout.from), name(layout.to)));
  } else {
    skip_comments(input);
  }
  if (columns.empty() && !layout.named && layout.columns > 2)
    notices.emplace_back(
        "the first two columns are taken as the ends of an edge; --columns names others");
  ParsedGraph graph = layout.numbers ? read_numbers(input, layout) : read_names(input, layout);
  graph.notices.insert(graph.notices.begin(), notices.begin(), notices.end());
  return graph;
}

}  // namespace antipode
