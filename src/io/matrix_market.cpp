// Matrix Market coordinate files: "%%MatrixMarket matrix coordinate FIELD SYMMETRY", comments,
// "rows columns entries", then one entry per line, ids from 1. [Boisvert, Pozo, Remington 1996]
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "antipode/error.hpp"
#include "io/blocks.hpp"
#include "io/columns.hpp"
#include "io/formats.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

struct Header {
  Vertex order = 0;
  std::uint64_t entries = 0;
  bool has_values = false, symmetric = false;
  bool complex = false;  // a value is two numbers
  bool skew = false;     // the mirrored entry has the opposite sign
};

struct Piece {
  std::vector<Edge> edges;
  BlockLengths lengths;
  bool further = false;  // has more columns than the field
};

std::string lower_case(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> choices) {
  return std::find(choices.begin(), choices.end(), word) != choices.end();
}

Header read_banner(Input& input) {
  const std::string line = input.line().value_or("");
  Tokens tokens(line);
  const auto word = [&] {
    return tokens.next_in_line() ? lower_case(tokens.word()) : std::string();
  };
  if (word() != "%%matrixmarket")
    throw InputError(input.where(1),
                     "a Matrix Market file opens with '%%MatrixMarket matrix coordinate …'");
  const std::string object = word(), layout = word(), field = word(), symmetry = word();
  if (object != "matrix" || layout != "coordinate")
    throw InputError(input.where(1), "only 'matrix coordinate' files hold sparse graphs, not " +
                                         show(object + " " + layout));
  if (!is_one_of(field, {"pattern", "integer", "real", "complex", "double", "unsigned-integer"}))
    throw InputError(input.where(1),
                     "unknown field " + show(field) + ": pattern, integer, real or complex");
  if (!is_one_of(symmetry, {"general", "symmetric", "skew-symmetric", "hermitian"}))
    throw InputError(input.where(1), "unknown symmetry " + show(symmetry) +
                                         ": general, symmetric, skew-symmetric or hermitian");
  Header header;
  header.has_values = field != "pattern";
  header.complex = field == "complex";
  header.symmetric = symmetry != "general";
  header.skew = symmetry == "skew-symmetric";
  return header;
}

void read_sizes(Input& input, Header& header) {
  while (auto line = input.line()) {
    Tokens tokens(*line);
    if (!tokens.next_in_line() || tokens.peek() == '%') continue;
    const std::string where = input.where(input.lines_read());
    try {
      const std::uint64_t rows = tokens.number("the number of rows");
      tokens.next_in_line();
      const std::uint64_t columns = tokens.number("the number of columns");
      tokens.next_in_line();
      header.entries = tokens.number("the number of entries");
      if (rows != columns)
        throw InputError(where, fmt::format("{} rows and {} columns: a graph's matrix is square",
                                            rows, columns));
      header.order = checked_order(rows, where);
    } catch (const Fault& fault) {
      throw InputError(where, fault.what);
    }
    return;
  }
  throw InputError(input.where(input.lines_read()),
                   "the line 'rows columns entries' is missing: the file is truncated");
}

Piece parse_entries(std::string_view text, const Header& header, Lengths wanted) {
  Piece piece;
  piece.edges.reserve(text.size() / 12);
  for (Tokens tokens(text); !tokens.at_end(); tokens.next_line()) {
    if (!tokens.next_in_line() || tokens.peek() == '%') continue;
    const char* line = tokens.at();
    const std::uint64_t row = tokens.number("a row");
    check_id(row, 1, header.order, line);
    if (!tokens.next_in_line()) throw Fault{line, "an entry needs a row and a column"};
    const std::uint64_t column = tokens.number("a column");
    check_id(column, 1, header.order, line);
    if (header.has_values && !tokens.next_in_line())
      throw Fault{line, "the entry's value is missing"};
    if (header.has_values) {
      const std::string_view value = tokens.word();
      if (wanted == Lengths::used) piece.lengths.add(value, line);
    }
    piece.further |= !header.complex && tokens.next_in_line();
    piece.edges.push_back({static_cast<Vertex>(row - 1), static_cast<Vertex>(column - 1)});
  }
  return piece;
}

}  // namespace

ParsedGraph read_matrix_market(Input& input) {
  Header header = read_banner(input);
  read_sizes(input, header);
  ParsedGraph graph;
  graph.order = header.order;
  graph.labels = Labels::sequential(1, header.order);
  std::uint64_t entries = 0;
  bool further = false;
  FileLengths lengths;
  const bool are_lengths = header.has_values && !header.complex && !header.skew;
  const Lengths wanted = are_lengths ? input.lengths() : Lengths::ignored;
  parse_blocks(
      input, [&](std::string_view text) { return parse_entries(text, header, wanted); },
      [&](std::string_view, Piece&& piece) {
        entries += piece.edges.size();
        further |= piece.further;
        lengths.take(std::move(piece.lengths));
        graph.edges.push_back(std::move(piece.edges));
      });
  if (entries != header.entries && !input.was_cut()) {
    throw InputError(
        input.name(),
        fmt::format("the header promises {} entries, the file has {}: {}", header.entries, entries,
                    entries < header.entries ? "it is truncated" : "the header is wrong"));
  }
  if (further) graph.notices.emplace_back(kMoreColumns);
  graph.goes_both_ways = header.symmetric;
  graph.has_directions = !header.symmetric;
  if (wanted == Lengths::used) lengths.move_to(graph);
  graph.has_lengths = header.has_values;
  return graph;
}

}  // namespace antipode
