// DIMACS: "c" comments, one "p sp n m" line, then "a from to length" (9th challenge, .gr); also the
// older "p edge n m" with "e from to". Ids from 1.
#include <fmt/format.h>

#include "antipode/error.hpp"
#include "io/blocks.hpp"
#include "io/columns.hpp"
#include "io/formats.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

struct Header {
  Vertex order = 0;
  std::uint64_t arcs = 0;
};

struct Piece {
  std::vector<Edge> edges;
  bool arcs = false, lengths = false;  // has lines "a"; has lengths other than 1
  bool further = false;                // has more columns than the format
  BlockLengths kept_lengths;
};

Header read_header(Input& input) {
  while (const auto line = input.line()) {
    Tokens tokens(*line);
    if (!tokens.next_in_line() || tokens.peek() == 'c') continue;
    const std::string where = input.where(input.lines_read());
    try {
      if (tokens.word() != "p")
        throw Fault{line->data(), "the line 'p sp vertices arcs' must come first"};
      if (tokens.next_in_line()) tokens.word();
      tokens.next_in_line();
      Header header;
      header.order = checked_order(tokens.number("the number of vertices"), where);
      tokens.next_in_line();
      header.arcs = tokens.number("the number of arcs");
      return header;
    } catch (const Fault& fault) {
      throw InputError(where, fault.what);
    }
  }
  throw InputError(input.name(),
                   "no line 'p sp vertices arcs': the file is empty or holds only comments");
}

Piece parse_arcs(std::string_view text, const Header& header, Lengths wanted) {
  Piece piece;
  piece.edges.reserve(text.size() / 16);
  for (Tokens tokens(text); !tokens.at_end(); tokens.next_line()) {
    if (!tokens.next_in_line() || tokens.peek() == 'c') continue;
    const char* line = tokens.at();
    const std::string_view kind = tokens.word();
    if (kind != "a" && kind != "e")
      throw Fault{line, "a line begins with 'a', 'e' or 'c', not " + show(kind)};
    std::uint64_t ends[2];
    for (auto& end : ends) {
      tokens.next_in_line();
      end = tokens.number("a vertex");
      check_id(end, 1, header.order, line);
    }
    piece.arcs |= kind == "a";
    if (kind == "a") tokens.next_in_line();
    if (wanted == Lengths::used) {
      kind == "a" ? piece.kept_lengths.add(tokens.word(), line) : piece.kept_lengths.lack(line);
    } else if (kind == "a") {
      piece.lengths |= tokens.number("the arc's length") != 1;
    }
    piece.further |= tokens.next_in_line();
    piece.edges.push_back({static_cast<Vertex>(ends[0] - 1), static_cast<Vertex>(ends[1] - 1)});
  }
  return piece;
}

}  // namespace

ParsedGraph read_dimacs(Input& input) {
  const Header header = read_header(input);
  ParsedGraph graph;
  graph.order = header.order;
  graph.labels = Labels::sequential(1, header.order);
  std::uint64_t arcs = 0;
  bool further = false;
  FileLengths lengths;
  const Lengths wanted = input.lengths();
  parse_blocks(
      input, [&](std::string_view text) { return parse_arcs(text, header, wanted); },
      [&](std::string_view, Piece&& piece) {
        arcs += piece.edges.size();
        graph.has_lengths |= piece.lengths;
        graph.has_directions |= piece.arcs;
        further |= piece.further;
        lengths.take(std::move(piece.kept_lengths));
        graph.edges.push_back(std::move(piece.edges));
      });
  if (arcs != header.arcs && !input.was_cut()) {
    throw InputError(
        input.name(),
        fmt::format("the header promises {} arcs, the file has {}: {}", header.arcs, arcs,
                    arcs < header.arcs ? "it is truncated" : "the header is wrong"));
  }
  if (further) graph.notices.emplace_back(kMoreColumns);
  if (wanted == Lengths::used) lengths.move_to(graph);
  graph.lists_both_ends =
      graph.has_directions;  // the 9th challenge gives an undirected edge as two arcs
  return graph;
}

}  // namespace antipode
