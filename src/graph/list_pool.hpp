// Lists of neighbours that grow and shrink, in blocks of one pool whose sizes are powers of two. A
// list that grows moves to a larger block; the old one is used again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "antipode/graph.hpp"
#include "graph/limits.hpp"

namespace antipode {

template <class Entry>
class ListPool {
 public:
  ListPool(Vertex order, EdgeOffset arcs) : lists_(order) { pool_.reserve(2 * arcs + order); }

  void create(Vertex v, std::size_t room) { lists_[v] = block(size_class(room)); }
  Vertex count(Vertex v) const { return lists_[v].count; }
  Entry* of(Vertex v) { return pool_.data() + lists_[v].begin; }
  void append(Vertex v, Entry entry) {
    ensure_room(v, lists_[v].count + std::size_t{1});
    pool_[lists_[v].begin + lists_[v].count++] = entry;
  }
  // For so many entries in all. Moves the list.
  void ensure_room(Vertex v, std::size_t count) {
    if (count > std::size_t{1} << lists_[v].size_class) grow(v, size_class(count));
  }
  void set_count(Vertex v, Vertex count) { lists_[v].count = count; }  // within its room
  void free(Vertex v) {
    free_[lists_[v].size_class].push_back(lists_[v].begin);
    lists_[v].count = 0;
  }

 private:
  struct List {
    std::uint64_t begin = 0;
    Vertex count = 0;
    std::uint32_t size_class = 0;
  };
  static std::uint32_t size_class(std::size_t room) {
    return static_cast<std::uint32_t>(std::countr_zero(std::bit_ceil(room)));
  }
  List block(std::uint32_t of_class) {
    if (auto& some = free_[of_class]; !some.empty()) {
      const std::uint64_t begin = some.back();
      some.pop_back();
      return {.begin = begin, .count = 0, .size_class = of_class};
    }
    const std::uint64_t begin = pool_.size();
    const std::uint64_t needed = begin + (std::uint64_t{1} << of_class);
    if (needed > pool_.capacity())
      refuse_bytes(2 * needed * sizeof(Entry), "folding a graph with lengths");
    pool_.resize(needed);
    return {.begin = begin, .count = 0, .size_class = of_class};
  }
  void grow(Vertex v, std::uint32_t to_class) {
    const List from = lists_[v];
    List to = block(to_class);
    std::copy_n(pool_.begin() + static_cast<std::ptrdiff_t>(from.begin), from.count,
                pool_.begin() + static_cast<std::ptrdiff_t>(to.begin));
    to.count = from.count;
    free(v);
    lists_[v] = to;
  }

  std::vector<List> lists_;
  std::vector<Entry> pool_;
  std::array<std::vector<std::uint64_t>, 34> free_;  // blocks of each size
};

}  // namespace antipode
