// Larger undirected graphs with lengths of every kind: a grid, a tree, a path, roads in several
// components, and a graph of wide degrees.
#pragma once

#include <algorithm>
#include <random>
#include <utility>

#include "support/path_graphs.hpp"

namespace antipode::testing {

enum class LengthKind { one, small, with_zeros, short_and_long, beyond_32_bits, largest };

struct Shape {
  const char* name;
  PathCase (*make)(LengthKind lengths);
};

class ShapeMaker {
 public:
  ShapeMaker(unsigned order, LengthKind lengths)
      : made_{.order = order, .directed = false, .weighted = true, .arcs = {}},
        lengths_(lengths),
        random_(order) {}
  void add(unsigned from, unsigned to) {
    made_.arcs.push_back({.from = from, .to = to, .length = length()});
  }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  PathCase result() { return std::move(made_); }

 private:
  std::uint64_t length() {
    switch (lengths_) {
      case LengthKind::one:
        return 1;
      case LengthKind::small:
        return 1 + below(1000);
      case LengthKind::with_zeros:
        return below(3) == 0 ? below(100) : 0;
      case LengthKind::short_and_long:
        return below(2) ? 1 + below(3) : 1'000'000'000 + below(1000);
      case LengthKind::beyond_32_bits:
        return (below(2) << 40) + below(1000);
      default:
        return (std::uint64_t{1} << 62) / made_.order - below(1000);
    }
  }
  PathCase made_;
  LengthKind lengths_;
  std::mt19937_64 random_;
};

inline PathCase grid(LengthKind lengths) {
  constexpr unsigned kSide = 30;
  ShapeMaker maker(kSide * kSide, lengths);
  for (unsigned y = 0; y < kSide; ++y)
    for (unsigned x = 0; x < kSide; ++x) {
      if (x + 1 < kSide) maker.add(y * kSide + x, y * kSide + x + 1);
      if (y + 1 < kSide) maker.add(y * kSide + x, (y + 1) * kSide + x);
    }
  return maker.result();
}

inline PathCase tree(LengthKind lengths) {
  ShapeMaker maker(700, lengths);
  for (unsigned v = 1; v < 700; ++v)
    maker.add(v - 1 - static_cast<unsigned>(maker.below(std::min(v, 5u))), v);
  return maker.result();
}

inline PathCase path(LengthKind lengths) {
  ShapeMaker maker(600, lengths);
  for (unsigned v = 1; v < 600; ++v) maker.add(v - 1, v);
  return maker.result();
}

// A grid with holes, diagonals, chains and pendant trees, in several components.
inline PathCase roads(LengthKind lengths) {
  constexpr unsigned kSide = 25, kChains = 300;
  ShapeMaker maker(kSide * kSide + kChains + 20, lengths);
  for (unsigned y = 0; y < kSide; ++y)
    for (unsigned x = 0; x < kSide; ++x) {
      const unsigned v = y * kSide + x;
      if (x + 1 < kSide && maker.below(4) > 0) maker.add(v, v + 1);
      if (y + 1 < kSide && maker.below(4) > 0) maker.add(v, v + kSide);
      if (x + 1 < kSide && y + 1 < kSide && maker.below(9) == 0) maker.add(v, v + kSide + 1);
    }
  for (unsigned i = 0; i < kChains; ++i) {
    const unsigned v = kSide * kSide + i;
    maker.add(v, maker.below(3) == 0 ? static_cast<unsigned>(maker.below(v)) : v - 1);
    if (maker.below(10) == 0) maker.add(v, static_cast<unsigned>(maker.below(v)));
  }
  return maker.result();
}

inline PathCase social(LengthKind lengths) {
  ShapeMaker maker(500, lengths);
  for (unsigned v = 1; v < 500; ++v)
    for (unsigned i = 0; i < 1 + v % 7; ++i)
      maker.add(v, static_cast<unsigned>(maker.below(maker.below(v) + 1)));
  return maker.result();
}

inline constexpr Shape kShapes[] = {{.name = "grid", .make = grid},
                                    {.name = "tree", .make = tree},
                                    {.name = "path", .make = path},
                                    {.name = "roads", .make = roads},
                                    {.name = "social", .make = social}};
inline constexpr LengthKind kLengths[] = {LengthKind::one,
                                          LengthKind::small,
                                          LengthKind::with_zeros,
                                          LengthKind::short_and_long,
                                          LengthKind::beyond_32_bits,
                                          LengthKind::largest};

}  // namespace antipode::testing
