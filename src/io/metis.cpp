// METIS and DIMACS-10 .graph: "n m [fmt [ncon]]", then line i lists the neighbours of vertex i, ids
// from 1. '%' starts a comment; an empty line is a vertex without neighbours. The digits of fmt
// announce vertex sizes, vertex weights and edge weights.
#include <fmt/format.h>

#include <limits>

#include "antipode/error.hpp"
#include "io/blocks.hpp"
#include "io/formats.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

struct Header {
  Vertex order = 0;
  std::uint64_t edges = 0;
  std::uint64_t vertex_columns = 0;  // sizes and weights before the neighbours
  bool edge_weights = false;
};

// The adjacencies ("rows") of one block, counted from 0 within it.
struct Piece {
  std::vector<Edge> entries;        // from: the row
  std::vector<const char*> starts;  // of each row, for messages
  Vertex rows = 0;
  Vertex rows_to_last_word = 0;  // rows up to the last that is not empty
  bool lengths = false;          // edge weights other than 1
  BlockLengths kept_lengths;
};

Header parse_header(const std::string& line, const std::string& where) {
  Header header;
  Tokens tokens(line);
  tokens.next_in_line();
  header.order = checked_order(tokens.number("the number of vertices"), where);
  if (!tokens.next_in_line())
    throw Fault{line.data(), "the header needs the number of vertices and of edges"};
  header.edges = tokens.number("the number of edges");
  if (header.edges > std::numeric_limits<std::uint64_t>::max() / 2)
    throw Fault{line.data(), fmt::format("{} edges, more than a file can hold", header.edges)};
  std::string format = "000";
  if (tokens.next_in_line()) {
    const std::string_view word = tokens.word();
    if (word.size() > 3 || word.find_first_not_of("01") != std::string_view::npos)
      throw Fault{line.data(), "the format " + show(word) + " is not up to three digits 0 or 1"};
    format.replace(3 - word.size(), word.size(), word);
  }
  const std::uint64_t weights =
      tokens.next_in_line() ? tokens.number("the number of vertex weights") : 1;
  if (weights > 1000) throw Fault{line.data(), "more than 1000 weights a vertex"};
  header.vertex_columns = (format[0] == '1' ? 1 : 0) + (format[1] == '1' ? weights : 0);
  header.edge_weights = format[2] == '1';
  return header;
}

Header read_header(Input& input) {
  while (const auto line = input.line()) {
    Tokens tokens(*line);
    if (!tokens.next_in_line() || tokens.peek() == '%') continue;
    const std::string where = input.where(input.lines_read());
    try {
      return parse_header(*line, where);
    } catch (const Fault& fault) {
      throw InputError(where, fault.what);
    }
  }
  throw InputError(input.name(),
                   "no header 'vertices edges': the file is empty or holds only comments");
}

Piece parse_rows(std::string_view text, const Header& header, Lengths wanted) {
  Piece piece;
  for (Tokens tokens(text); !tokens.at_end(); tokens.next_line()) {
    const bool empty = !tokens.next_in_line();
    if (!empty && tokens.peek() == '%') continue;
    const Vertex row = piece.rows++;
    piece.starts.push_back(tokens.at());
    if (empty) continue;
    piece.rows_to_last_word = piece.rows;
    for (std::uint64_t skipped = 0; skipped < header.vertex_columns && tokens.next_in_line();
         ++skipped)
      tokens.number("a vertex weight");
    while (tokens.next_in_line()) {
      const char* at = tokens.at();
      const std::uint64_t neighbor = tokens.number("a neighbour");
      check_id(neighbor, 1, header.order, at);
      piece.entries.push_back({row, static_cast<Vertex>(neighbor - 1)});
      if (!header.edge_weights) continue;
      if (!tokens.next_in_line()) throw Fault{at, "the weight of the edge is missing"};
      if (wanted == Lengths::used)
        piece.kept_lengths.add(tokens.word(), at);
      else
        piece.lengths |= tokens.number("an edge weight") != 1;
    }
  }
  return piece;
}

}  // namespace

ParsedGraph read_metis(Input& input) {
  const Header header = read_header(input);
  ParsedGraph graph;
  graph.order = header.order;
  graph.labels = Labels::sequential(1, header.order);
  graph.lists_both_ends = true;
  std::uint64_t rows = 0, entries = 0;
  FileLengths lengths;
  const Lengths wanted = input.lengths();
  parse_blocks(
      input, [&](std::string_view text) { return parse_rows(text, header, wanted); },
      [&](std::string_view, Piece&& piece) {
        if (rows + piece.rows_to_last_word > header.order)
          throw Fault{piece.starts[header.order > rows ? header.order - rows : 0],
                      fmt::format("the adjacency of a vertex after the last of {}", header.order)};
        for (Edge& e : piece.entries) e.from += static_cast<Vertex>(rows);
        rows += piece.rows;
        entries += piece.entries.size();
        graph.has_lengths |= piece.lengths;
        lengths.take(std::move(piece.kept_lengths));
        graph.edges.push_back(std::move(piece.entries));
      });
  if (wanted == Lengths::used) lengths.move_to(graph);
  if (input.was_cut()) return graph;
  if (rows < header.order)
    throw InputError(input.name(),
                     fmt::format("the adjacencies of {} of {} vertices: the file is truncated",
                                 rows, header.order));
  if (entries != 2 * header.edges)
    throw InputError(
        input.name(),
        fmt::format("the header promises {} edges, so {} entries; the adjacencies have {}",
                    header.edges, 2 * header.edges, entries));
  if (header.vertex_columns > 0) graph.notices.emplace_back("weights of vertices are read past");
  return graph;
}

}  // namespace antipode
