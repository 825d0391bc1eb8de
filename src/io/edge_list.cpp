// Edge lists: two ids per line; '#' and '%' start comments; further columns are skipped. For SNAP's
// files, GAP's .el, Graph Golf's .edges and KONECT's out.*.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <limits>
#include <utility>

#include "antipode/error.hpp"
#include "graph/parallel.hpp"
#include "io/blocks.hpp"
#include "io/edge_pieces.hpp"
#include "io/formats.hpp"
#include "io/header.hpp"
#include "io/sample.hpp"
#include "io/shape.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

using Piece = EdgePiece;
using Pieces = EdgePieces;

// The ids that a file declares, if it does, and the offset of the second id of a line.
struct Sides {
  std::uint64_t first = 0;
  std::uint64_t left = std::numeric_limits<std::uint64_t>::max(), right = left;
  std::uint64_t add_to_second = 0;

  bool bounded() const { return left != std::numeric_limits<std::uint64_t>::max(); }
  void check(std::uint64_t from, std::uint64_t to, const char* line) const {
    if (from < first || from > left) refuse("left-hand", from, left, line);
    if (to < first || to > right) refuse("right-hand", to, right, line);
  }

 private:
  [[noreturn]] void refuse(const char* side, std::uint64_t id, std::uint64_t last,
                           const char* line) const {
    throw Fault{
        line,
        fmt::format("the {} vertex {}, where the second line of the file declares {} vertices",
                    side, id, last)};
  }
};

// Reads plain lines up to the first other line, in a loop of its own, which needs no code for the
// others.
template <bool kBounded>
[[gnu::noinline]] Tokens take_plain_lines(Tokens tokens, const Sides& sides, Piece& piece) {
  const char* line = tokens.at();
  for (std::uint64_t from, to; tokens.line_of_two(from, to);) {
    if constexpr (kBounded) {
      sides.check(from, to, std::exchange(line, tokens.at()));
      to += sides.add_to_second;
    }
    piece.add(from, to);
  }
  return tokens;
}

template <bool kBounded>
Piece parse_piece_with_lengths(std::string_view text, const Sides& sides) {
  Piece piece;
  piece.narrow.reserve(text.size() / 10);
  std::uint64_t number = 0;
  for (Tokens tokens(text); !tokens.at_end(); tokens.next_line(), ++number) {
    if (!tokens.next_in_line() || starts_comment(tokens.peek())) continue;
    const char* const line = tokens.at();
    const std::uint64_t from = tokens.number("a vertex id");
    if (!tokens.next_in_line()) throw Fault{line, "one vertex id where an edge needs two"};
    const std::uint64_t to = tokens.number("a vertex id");
    if constexpr (kBounded) sides.check(from, to, line);
    const std::uint64_t columns = 2 + take_length(tokens, line, piece.kept_lengths);
    piece.columns.see(number, columns);
    piece.add(from, to + sides.add_to_second);
  }
  piece.columns.lines = number;
  return piece;
}

template <bool kBounded>
Piece parse_piece(std::string_view text, const Sides& sides) {
  Piece piece;
  piece.narrow.reserve(text.size() / 8);
  std::uint64_t empty_lines = 0;  // or comments
  for (Tokens tokens(text); !tokens.at_end(); tokens.next_line()) {
    const char* const start = tokens.at();
    tokens = take_plain_lines<kBounded>(tokens, sides, piece);
    if (tokens.at() != start && piece.columns.differs(2)) {
      const bool first = piece.columns.columns == 0;
      const auto run =
          first ? piece.count() : static_cast<std::uint64_t>(std::count(start, tokens.at(), '\n'));
      piece.columns.see(piece.count() + empty_lines - run, 2);
    }
    if (tokens.at_end()) break;
    if (!tokens.next_in_line() || starts_comment(tokens.peek())) {
      ++empty_lines;
      continue;
    }
    const char* const line = tokens.at();
    const std::uint64_t from = tokens.number("a vertex id");
    if (!tokens.next_in_line()) throw Fault{line, "one vertex id where an edge needs two"};
    const std::uint64_t to = tokens.number("a vertex id");
    if constexpr (kBounded) sides.check(from, to, line);
    std::uint64_t columns = 2;
    if (tokens.next_in_line())
      columns += piece.lengths && tokens.peek() != '{'
                     ? tokens.count_words()
                     : further_columns(tokens.rest_of_line(), piece.lengths);
    if (piece.columns.differs(columns)) piece.columns.see(piece.count() + empty_lines, columns);
    piece.further |= columns > 2;
    piece.add(from, to + sides.add_to_second);
  }
  piece.columns.lines = piece.count() + empty_lines;
  return piece;
}

Pieces parse_pieces(Input& input, const Sides& sides = {}) {
  std::vector<std::string> notices;
  const std::size_t named = take_header(input, notices);
  if (may_list_neighbours(rows_of(Sample(input.head()), kWords)))
    notices.emplace_back(
        "the first two columns are taken as the ends of an edge, though every further word seems "
        "to be a vertex, too; an adjacency list is read by networkx.read_adjlist");
  Pieces pieces(input.lines_read(), named);
  pieces.notices = std::move(notices);
  pieces.keeps_lengths = input.lengths() == Lengths::used;
  const auto parse = pieces.keeps_lengths ? sides.bounded() ? parse_piece_with_lengths<true>
                                                            : parse_piece_with_lengths<false>
                     : sides.bounded() ? parse_piece<true>
                                          : parse_piece<false>;
  parse_blocks(
      input, [=](std::string_view text) { return parse(text, sides); },
      [&](std::string_view, Piece&& piece) { pieces.take(std::move(piece)); });
  if (pieces.edges == 0)
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  return pieces;
}

ParsedGraph parse(Vertex order, Pieces&& pieces, Labels labels) {
  ParsedGraph graph;
  graph.order = order;
  for (Piece& piece : pieces.list) graph.edges.push_back(std::move(piece.narrow));
  graph.labels = std::move(labels);
  graph.notices = std::move(pieces.notices);
  if (pieces.keeps_lengths)
    pieces.kept_lengths.move_to(graph);
  else
    graph.has_lengths = pieces.lengths;
  pieces.columns.add_notice(graph.notices);
  if (pieces.further && !pieces.lengths)
    graph.notices.emplace_back("columns after the second are read past");
  return graph;
}

// The ids that occur, as a bitmap with a running count, so that the rank of an id is one look-up.
class IdSet {
 public:
  explicit IdSet(std::uint64_t largest) : words_(largest / 64 + 1, 0), before_(words_.size()) {}
  void add(Vertex id) {
    const std::uint64_t bit = std::uint64_t{1} << id % 64;
    if ((relaxed_load(words_[id / 64]) & bit) == 0)
      std::atomic_ref<std::uint64_t>(words_[id / 64]).fetch_or(bit, std::memory_order_relaxed);
  }
  std::uint64_t count() {
    for (std::size_t w = 0; w < words_.size(); ++w)
      before_[w] = static_cast<std::uint64_t>(std::popcount(words_[w]));
    return exclusive_sum(before_, threads_for(before_.size()));
  }
  Vertex rank(Vertex id) const {
    const std::uint64_t below = words_[id / 64] & ((std::uint64_t{1} << id % 64) - 1);
    return static_cast<Vertex>(before_[id / 64] + static_cast<std::uint64_t>(std::popcount(below)));
  }
  std::vector<std::uint64_t> values() const {
    std::vector<std::uint64_t> result;
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1)
        result.push_back(w * 64 + static_cast<std::uint64_t>(std::countr_zero(word)));
    return result;
  }

 private:
  std::vector<std::uint64_t> words_, before_;
};

template <class Work>
void for_each_piece(Pieces& pieces, Work work) {
  in_pieces(pieces.list.size(), 1, threads_for(pieces.edges),
            [&](std::size_t begin, std::size_t end, int) {
              for (std::size_t i = begin; i < end; ++i) work(pieces.list[i]);
            });
}

template <class Renumber>
void renumber(Pieces& pieces, Renumber id_of) {
  for_each_piece(pieces, [&](Piece& piece) {
    for (Edge& e : piece.narrow) e = {id_of(e.from), id_of(e.to)};
    for (const WideEdge e : piece.wide) piece.narrow.push_back({id_of(e.from), id_of(e.to)});
    piece.wide = {};
  });
}

ParsedGraph by_bitmap(Pieces&& pieces, const std::string& name) {
  IdSet ids(pieces.largest);
  for_each_piece(pieces, [&](Piece& piece) {
    for (const Edge e : piece.narrow) ids.add(e.from), ids.add(e.to);
  });
  const Vertex order = checked_order(ids.count(), name);
  if (order == pieces.largest + 1)
    return parse(order, std::move(pieces), Labels::sequential(0, order));
  if (order == pieces.largest && ids.rank(1) == 0) {  // 1 … n without a gap
    renumber(pieces, [](std::uint64_t id) { return static_cast<Vertex>(id - 1); });
    return parse(order, std::move(pieces), Labels::sequential(1, order));
  }
  std::vector<std::uint64_t> labels = ids.values();
  if (pieces.largest < 4 * pieces.edges) {  // a look-up is faster than counting bits
    std::vector<Vertex> numbers(pieces.largest + 1);
    for (Vertex v = 0; v < order; ++v) numbers[labels[v]] = v;
    renumber(pieces, [&](std::uint64_t id) { return numbers[id]; });
  } else {
    renumber(pieces, [&](std::uint64_t id) { return ids.rank(static_cast<Vertex>(id)); });
  }
  return parse(order, std::move(pieces), Labels::integers(std::move(labels)));
}

ParsedGraph by_sorting(Pieces&& pieces, const std::string& name) {
  std::vector<std::uint64_t> ids;
  ids.reserve(pieces.edges * 2);
  for (const Piece& piece : pieces.list) {
    for (const Edge e : piece.narrow) ids.push_back(e.from), ids.push_back(e.to);
    for (const WideEdge e : piece.wide) ids.push_back(e.from), ids.push_back(e.to);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  ids.shrink_to_fit();
  const Vertex order = checked_order(ids.size(), name);
  renumber(pieces, [&](std::uint64_t id) {
    return static_cast<Vertex>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  });
  return parse(order, std::move(pieces), Labels::integers(std::move(ids)));
}

// SNAP's files say so in a comment at the top.
bool says_directed(std::string_view head) {
  while (head.starts_with('#')) {
    if (head.starts_with("# Directed graph")) return true;
    head.remove_prefix(std::min(head.find('\n'), head.size() - 1) + 1);
  }
  return false;
}

}  // namespace

ParsedGraph with_ids_that_occur(EdgePieces&& pieces, const std::string& name) {
  const bool dense_enough =
      pieces.largest <= kMaxOrder && pieces.largest / 64 < pieces.edges + 1024;
  return dense_enough ? by_bitmap(std::move(pieces), name) : by_sorting(std::move(pieces), name);
}

ParsedGraph read_edge_list(Input& input) {
  const bool directed = says_directed(input.head());
  ParsedGraph graph = with_ids_that_occur(parse_pieces(input), input.name());
  graph.has_directions = directed;
  return graph;
}

ParsedGraph read_dense_edge_list(Input& input) {
  Pieces pieces = parse_pieces(input);
  if (pieces.largest / 64 > pieces.edges + 1024) {
    throw InputError(
        input.name(),
        fmt::format(
            "vertex {} in a file of {} edges: this format counts every id up to the largest as a "
            "vertex; with --format snap only those that occur are counted",
            pieces.largest, pieces.edges));
  }
  const Vertex order = checked_order(pieces.largest + 1, input.name());
  return parse(order, std::move(pieces), Labels::sequential(0, order));
}

ParsedGraph read_golf(Input& input) {
  ParsedGraph graph = read_dense_edge_list(input);
  graph.goes_both_ways = true;
  return graph;
}

namespace {

// The line that names the kind of a KONECT network, and the number of lines before it.
struct KonectLine {
  std::string_view kind, text;
  std::uint64_t lines_before = 0;
};

// Usually the first line of the file. If a comment comes before it, the sizes must still not be
// read as edges.
KonectLine konect_line(std::string_view head) {
  KonectLine line;
  for (; head.starts_with('%'); ++line.lines_before) {
    line.text = head.substr(0, head.find('\n'));
    Tokens tokens(line.text.substr(1));
    std::string word(tokens.next_in_line() ? tokens.word() : std::string_view());
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (line.lines_before == 0 || tokens.count_words() < 2)
      for (const std::string_view kind : {"sym", "asym", "bip"})
        if (word == kind) line.kind = kind;
    if (!line.kind.empty()) return line;
    head.remove_prefix(std::min(line.text.size() + 1, head.size()));
  }
  return {};
}

// "% edges left right": up to three numbers after the '%'.
std::vector<std::uint64_t> konect_sizes(std::string_view head, const KonectLine& line) {
  Tokens tokens(head);
  for (std::uint64_t i = 0; i <= line.lines_before; ++i) tokens.next_line();
  std::vector<std::uint64_t> sizes;
  if (!tokens.next_in_line() || tokens.peek() != '%') return sizes;
  const std::string_view rest(
      tokens.at() + 1, static_cast<std::size_t>(head.data() + head.size() - tokens.at() - 1));
  for (Tokens numbers(rest); sizes.size() < 3 && numbers.next_in_line();) {
    try {
      sizes.push_back(numbers.number("a size"));
    } catch (const Fault&) {
      return {};
    }
  }
  return sizes;
}

Sides konect_sides(bool bipartite, const std::vector<std::uint64_t>& sizes,
                   const std::string& where) {
  Sides sides;
  // Both sides are numbered from 1, and only the size of the left one says where the right one may
  // start. The largest left id that occurs would do for distances. But then the names of the right
  // side would depend on the edges of the file.
  if (bipartite && sizes.size() < 3) {
    throw InputError(
        where,
        "a bipartite KONECT file needs '% edges left right' on its second line, as both sides are "
        "numbered from 1; add that line, or number the right side behind the left and drop the "
        "first line");
  }
  if (sizes.size() < 2) return sides;
  sides.left = checked_order(sizes[1], where);
  sides.right = sizes.size() < 3 ? sides.left : checked_order(sizes[2], where);
  if (bipartite) sides.first = 1, sides.add_to_second = sides.left;
  return sides;
}

}  // namespace

std::string_view konect_kind(std::string_view head) { return konect_line(head).kind; }

// KONECT files start with "% format weights" and, usually, "% edges left right". In a bipartite
// file ("bip") both sides are numbered from 1: the right side is moved behind the left one.
ParsedGraph read_konect(Input& input) {
  const std::string head(input.head());
  const KonectLine line = konect_line(head);
  const std::string_view kind = line.kind;
  const bool bipartite = kind == "bip";
  const Sides sides =
      konect_sides(bipartite, konect_sizes(head, line), input.where(line.lines_before + 2));
  ParsedGraph graph = with_ids_that_occur(parse_pieces(input, sides), input.name());
  graph.goes_both_ways = bipartite || kind == "sym";
  graph.has_directions = kind == "asym";
  if (line.text.find("unweighted") != std::string_view::npos)
    graph.has_lengths = false;  // a third column counts repeats
  if (bipartite)
    graph.notices.push_back(
        fmt::format("bipartite: right-hand vertex i is shown as {} + i", sides.left));
  return graph;
}

}  // namespace antipode
