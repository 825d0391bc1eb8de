// Edge lists: two ids a line; '#' and '%' begin comments; further columns are read past. SNAP's
// files, GAP's .el, Graph Golf's .edges and KONECT's out.* are of this kind.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "antipode/error.hpp"
#include "graph/parallel.hpp"
#include "io/blocks.hpp"
#include "io/formats.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

struct WideEdge {
  std::uint64_t from, to;
};

// Edges of one block: narrow until an id does not fit 32 bits, then all of them wide.
struct Piece {
  std::vector<Edge> narrow;
  std::vector<WideEdge> wide;
  std::uint64_t largest = 0;
  bool extra_columns = false;

  void add(std::uint64_t from, std::uint64_t to) {
    largest = std::max({largest, from, to});
    if (largest <= kMaxOrder) {
      narrow.push_back({static_cast<Vertex>(from), static_cast<Vertex>(to)});
    } else {
      widen();
      wide.push_back({from, to});
    }
  }
  void widen() {
    for (const Edge e : narrow) wide.push_back({e.from, e.to});
    narrow = {};
  }
};

struct Pieces {
  std::vector<Piece> list;
  std::uint64_t edges = 0, largest = 0;
  bool extra_columns = false;
};

constexpr std::uint64_t kFarAway = std::uint64_t{1}
                                   << 63;  // ids moved this far may not fit any more

bool starts_comment(char c) { return c == '#' || c == '%'; }

Piece parse_piece(std::string_view text, std::uint64_t add_to_second) {
  Piece piece;
  piece.narrow.reserve(text.size() / 8);
  for (Tokens tokens(text); !tokens.at_end(); tokens.next_line()) {
    for (std::uint64_t from, to; add_to_second < kFarAway && tokens.line_of_two(from, to);)
      piece.add(from, to + add_to_second);
    if (!tokens.next_in_line() || starts_comment(tokens.peek())) continue;
    const char* line = tokens.at();
    const std::uint64_t from = tokens.number("a vertex id");
    if (!tokens.next_in_line()) throw Fault{line, "one vertex id where an edge needs two"};
    const std::uint64_t to = tokens.number("a vertex id");
    if (to > std::numeric_limits<std::uint64_t>::max() - add_to_second)
      throw Fault{line, "a vertex id does not fit 64 bits"};
    piece.add(from, to + add_to_second);
    piece.extra_columns |= tokens.next_in_line();
  }
  return piece;
}

Pieces parse_pieces(Input& input, std::uint64_t add_to_second = 0) {
  Pieces pieces;
  parse_blocks(
      input, [=](std::string_view text) { return parse_piece(text, add_to_second); },
      [&](std::string_view, Piece&& piece) {
        pieces.edges += piece.narrow.size() + piece.wide.size();
        pieces.largest = std::max(pieces.largest, piece.largest);
        pieces.extra_columns |= piece.extra_columns;
        pieces.list.push_back(std::move(piece));
      });
  if (pieces.edges == 0)
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  return pieces;
}

ParsedGraph parsed(Vertex order, Pieces&& pieces, Labels labels) {
  ParsedGraph graph;
  graph.order = order;
  for (Piece& piece : pieces.list) graph.edges.push_back(std::move(piece.narrow));
  graph.labels = std::move(labels);
  if (pieces.extra_columns)
    graph.notices.emplace_back(
        "columns after the second are read past; weights are not used in this version");
  return graph;
}

// Which ids occur, as a bitmap with a running count, so that an id's rank is one look-up.
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
    return exclusive_sum(before_);
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

template <class Renumber>
void renumber(Pieces& pieces, Renumber id_of) {
#pragma omp parallel for schedule(dynamic, 1) if (pieces.edges > kWorthThreads)
  for (std::size_t i = 0; i < pieces.list.size(); ++i) {
    Piece& piece = pieces.list[i];
    for (Edge& e : piece.narrow) e = {id_of(e.from), id_of(e.to)};
    for (const WideEdge e : piece.wide) piece.narrow.push_back({id_of(e.from), id_of(e.to)});
    piece.wide = {};
  }
}

ParsedGraph by_bitmap(Pieces&& pieces, const std::string& name) {
  IdSet ids(pieces.largest);
#pragma omp parallel for schedule(dynamic, 1) if (pieces.edges > kWorthThreads)
  for (std::size_t i = 0; i < pieces.list.size(); ++i)
    for (const Edge e : pieces.list[i].narrow) ids.add(e.from), ids.add(e.to);
  const Vertex order = checked_order(ids.count(), name);
  if (order == pieces.largest + 1)
    return parsed(order, std::move(pieces), Labels::sequential(0, order));
  if (order == pieces.largest && ids.rank(1) == 0) {  // 1 … n without a gap
    renumber(pieces, [](std::uint64_t id) { return static_cast<Vertex>(id - 1); });
    return parsed(order, std::move(pieces), Labels::sequential(1, order));
  }
  std::vector<std::uint64_t> labels = ids.values();
  if (pieces.largest < 4 * pieces.edges) {  // looking up is quicker than counting bits
    std::vector<Vertex> numbers(pieces.largest + 1);
    for (Vertex v = 0; v < order; ++v) numbers[labels[v]] = v;
    renumber(pieces, [&](std::uint64_t id) { return numbers[id]; });
  } else {
    renumber(pieces, [&](std::uint64_t id) { return ids.rank(static_cast<Vertex>(id)); });
  }
  return parsed(order, std::move(pieces), Labels::integers(std::move(labels)));
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
  return parsed(order, std::move(pieces), Labels::integers(std::move(ids)));
}

ParsedGraph with_ids_that_occur(Pieces&& pieces, const std::string& name) {
  const bool dense_enough =
      pieces.largest <= kMaxOrder && pieces.largest / 64 < pieces.edges + 1024;
  return dense_enough ? by_bitmap(std::move(pieces), name) : by_sorting(std::move(pieces), name);
}

}  // namespace

ParsedGraph read_edge_list(Input& input) {
  return with_ids_that_occur(parse_pieces(input), input.name());
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
  return parsed(order, std::move(pieces), Labels::sequential(0, order));
}

ParsedGraph read_golf(Input& input) {
  ParsedGraph graph = read_dense_edge_list(input);
  graph.goes_both_ways = true;
  return graph;
}

// KONECT opens with "% format weights" and, on most files, "% edges left right". In a bipartite
// file ("bip") both sides are numbered from 1: the right side is moved behind the left one.
ParsedGraph read_konect(Input& input) {
  const std::string head(input.head());
  if (!head.starts_with("% bip")) {
    const bool symmetric = head.starts_with("% sym");
    ParsedGraph graph = read_edge_list(input);
    graph.goes_both_ways = symmetric;
    return graph;
  }
  const std::size_t second = head.find('\n') + 1;
  Tokens tokens(std::string_view(head).substr(std::min(second, head.size())));
  std::uint64_t left = 0;
  try {
    if (!tokens.next_in_line() || tokens.word() != "%" || !tokens.next_in_line())
      throw Fault{head.data(), ""};
    tokens.number("edges");
    if (!tokens.next_in_line()) throw Fault{head.data(), ""};
    left = tokens.number("vertices");
  } catch (const Fault&) {
    throw InputError(input.where(2),
                     "a bipartite KONECT file needs '% edges left right' on its second line");
  }
  ParsedGraph graph = with_ids_that_occur(parse_pieces(input, left), input.name());
  graph.goes_both_ways = true;
  graph.notices.push_back(fmt::format("bipartite: right-hand vertex i is shown as {} + i", left));
  return graph;
}

}  // namespace antipode
