// Lengths of edges: decimals as text gives them, and the whole numbers in a common unit that a
// graph has. Memory: 16 bytes per edge while it is read, 8 after that.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

struct ParsedGraph;
class Tokens;

// digits × 10^exponent, exactly as it is written.
struct Decimal {
  static constexpr std::int32_t kInfinite = std::numeric_limits<std::int32_t>::max();
  // Written with more digits than fit: `digits` are the bits of the nearest double.
  static constexpr std::int32_t kDouble = std::numeric_limits<std::int32_t>::min();

  std::uint64_t digits = 0;
  std::int32_t exponent = 0;  // or one of the above

  bool is_infinite() const { return exponent == kInfinite; }
  bool is_double() const { return exponent == kDouble; }
  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// A Fault if the word is no length: negative, not a number, or beyond 10^±400. A comma is a decimal
// point.
Decimal decimal_of(std::string_view word);

// The lengths of a block of edges, or of all. Each edge has one, or none has: else a Fault.
class BlockLengths {
 public:
  void add(std::string_view word, const char* edge);
  void lack(const char* edge);
  // The word may be empty, or attributes in braces as NetworkX writes them.
  void take(std::string_view word, const char* edge);

 private:
  friend class FileLengths;

  std::vector<Decimal> list_;
  const char* first_ = nullptr;  // of the block
  bool edges_ = false, commas_ = false;
};

// The next word of a line, or attributes in braces. Leaves the line at its end; returns the number
// of its columns from that word on.
std::uint64_t take_length(Tokens& tokens, const char* line, BlockLengths& lengths);

// The same of a file, block by block.
class FileLengths {
 public:
  void take(BlockLengths&& block);
  // Beside the edges of the graph, which must be in as many lists as there were blocks.
  void move_to(ParsedGraph& graph);

 private:
  std::vector<std::vector<Decimal>> lists_;
  bool edges_ = false, any_ = false, commas_ = false;
};

// Of a graph with one list of edges, or arcs, and one of edges beside arcs. A Fault as above.
void move_lengths(BlockLengths&& edges, BlockLengths&& both_ways, ParsedGraph& graph);

// Edges of infinite length are removed.
struct ScaledLengths {
  std::vector<std::vector<Length>> lists;
  LengthUnit unit;
  std::vector<std::string> notices;
};
// An InputError if no unit makes all of them whole numbers below 2^63.
ScaledLengths scale_lengths(std::vector<std::vector<Edge>>& edges,
                            std::vector<std::vector<Decimal>> lengths, const std::string& name);

}  // namespace antipode
