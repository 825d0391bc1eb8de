// Edges between ids, block by block as they were parsed, and the graph of the ids that occur.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "io/columns.hpp"
#include "io/formats.hpp"

namespace antipode {

struct WideEdge {
  std::uint64_t from, to;
};

// Edges of one block: narrow until an id does not fit 32 bits, then all of them are wide.
struct EdgePiece {
  std::vector<Edge> narrow;
  std::vector<WideEdge> wide;
  std::uint64_t largest = 0;
  BlockColumns columns;
  BlockLengths kept_lengths;
  bool further = false, lengths = false;  // columns after the second; and lengths in the third

  // Called for every line: without inlining, all of reading would take a fifth longer.
  [[gnu::always_inline]] void add(std::uint64_t from, std::uint64_t to) {
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
  std::uint64_t count() const { return narrow.size() + wide.size(); }
};

struct EdgePieces {
  explicit EdgePieces(std::uint64_t lines_before, std::uint64_t named = 0)
      : columns(lines_before, named) {}

  std::vector<EdgePiece> list;
  std::uint64_t edges = 0, largest = 0;
  FileColumns columns;
  FileLengths kept_lengths;
  std::vector<std::string> notices;
  bool further = false, lengths = false, keeps_lengths = false;

  void take(EdgePiece&& piece) {
    edges += piece.count();
    largest = std::max(largest, piece.largest);
    further |= piece.further;
    lengths |= piece.lengths;
    columns.take(piece.columns);
    kept_lengths.take(std::move(piece.kept_lengths));
    list.push_back(std::move(piece));
  }
};

// The graph whose vertices are the ids that occur. `name`: the file, for messages.
ParsedGraph with_ids_that_occur(EdgePieces&& pieces, const std::string& name);

}  // namespace antipode
