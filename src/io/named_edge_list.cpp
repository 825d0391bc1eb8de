// Edge lists whose vertices are words: "alice bob". Every block has a dictionary of its own.
// Merging them costs one look-up per distinct name and block.
#include "antipode/error.hpp"
#include "io/blocks.hpp"
#include "io/columns.hpp"
#include "io/formats.hpp"
#include "io/header.hpp"
#include "io/names.hpp"
#include "io/sample.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

struct Piece {
  Dictionary dictionary;
  std::vector<Edge> edges;
  BlockColumns columns;
  BlockLengths kept_lengths;
  bool further = false, lengths = false;
};

Piece parse_piece(std::string_view text, Lengths wanted) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos)
    throw Fault{text.data() + nul, "a NUL byte: this is not a text file"};
  Piece piece;
  for (Tokens tokens(text); !tokens.at_end(); tokens.next_line()) {
    const std::uint64_t line = piece.columns.lines++;
    if (!tokens.next_in_line() || starts_comment(tokens.peek())) continue;
    const std::string_view from = tokens.word();
    if (!tokens.next_in_line()) throw Fault{from.data(), "one name where an edge needs two"};
    const Vertex source = piece.dictionary.id(from);
    piece.edges.push_back({source, piece.dictionary.id(tokens.word())});
    std::uint64_t columns = 2;
    if (wanted == Lengths::used)
      columns += take_length(tokens, from.data(), piece.kept_lengths);
    else if (tokens.next_in_line())
      columns += further_columns(tokens.rest_of_line(), piece.lengths);
    piece.columns.see(line, columns);
    piece.further |= columns > 2;
  }
  return piece;
}

}  // namespace

ParsedGraph read_named_edge_list(Input& input) {
  ParsedGraph graph;
  Dictionary all;
  const std::size_t named = take_header(input, graph.notices);
  FileColumns columns(input.lines_read(), named);
  bool further = false;
  FileLengths lengths;
  const Lengths wanted = input.lengths();
  const auto parse = [=](std::string_view text) { return parse_piece(text, wanted); };
  parse_blocks(input, parse, [&](std::string_view, Piece&& piece) {
    std::vector<Vertex> global;
    for (const auto& name : piece.dictionary.names()) global.push_back(all.id(name));
    for (Edge& e : piece.edges) e = {global[e.from], global[e.to]};
    further |= piece.further;
    graph.has_lengths |= piece.lengths;
    lengths.take(std::move(piece.kept_lengths));
    columns.take(piece.columns);
    graph.edges.push_back(std::move(piece.edges));
    checked_order(all.names().size(), input.name());
  });
  if (all.names().empty())
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  graph.order = checked_order(all.names().size(), input.name());
  graph.labels = Labels::names(all.names());
  columns.add_notice(graph.notices);
  if (wanted == Lengths::used) lengths.move_to(graph);
  if (further && !graph.has_lengths)
    graph.notices.emplace_back("columns after the second are read past");
  if (named == 0) suspect_header(graph);
  return graph;
}

}  // namespace antipode
