// What the families of generated graphs share: edges in pieces that can be made in any order, and
// random numbers by index.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "antipode/graph.hpp"
#include "graph/generator_spec.hpp"
#include "graph/hash.hpp"
#include "graph/limits.hpp"

namespace antipode::families {

using EdgeList = std::vector<Edge>;

// The edges, in pieces that can be made in any order, when they are needed.
struct Pieces {
  std::size_t count = 0;
  std::function<EdgeList(std::size_t)> make;
  double edges = 0;  // estimate of the total
};

struct Generated {
  Vertex order = 0;
  Pieces edges;
  std::uint64_t first_label = 0;
};

// Random numbers by index: at(i) depends on seed, stream and i alone.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : key_(mix(seed ^ mix(stream))) {}
  std::uint64_t at(std::uint64_t i) const { return mix(key_ ^ (i * 0xD1342543DE82EF95ull)); }
  Vertex below(Vertex n, std::uint64_t i) const {
    return static_cast<Vertex>(((at(i) >> 32) * n) >> 32);
  }
  double unit(std::uint64_t i) const { return static_cast<double>(at(i) >> 11) * 0x1p-53; }

 private:
  std::uint64_t key_;
};

inline constexpr std::uint64_t kCheck = 64;  // emits between two checks for an interrupt

// emit(i, list) for i = 0 … count - 1; each makes `each` edges on average.
template <class Emit>
Pieces cut(std::uint64_t count, std::uint64_t piece, Emit emit, double each = 1) {
  return {(count + piece - 1) / piece,
          [=](std::size_t k) {
            EdgeList list;
            const std::uint64_t end = std::min(count, (k + 1) * piece);
            list.reserve(end - k * piece);  // most kinds make one edge per index
            for (std::uint64_t i = k * piece; i < end; ++i) {
              if (i % kCheck == 0) stop_if_asked();
              emit(i, list);
            }
            return list;
          },
          static_cast<double>(count) * each};
}

inline Pieces one_piece(EdgeList edges) {
  const auto count = static_cast<double>(edges.size());
  return {1, [edges = std::move(edges)](std::size_t) { return edges; }, count};
}

inline constexpr std::uint64_t kPiece = 1 << 16;

// Random families (random_graphs.cpp).
Generated er(GeneratorSpec& spec);
Generated ba(GeneratorSpec& spec);
Generated ws(GeneratorSpec& spec);
Generated geometric(GeneratorSpec& spec);
Generated rmat(GeneratorSpec& spec);
Generated uniform(GeneratorSpec& spec);

}  // namespace antipode::families
