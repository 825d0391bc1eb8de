#include "engine/cpu/lengths/line_search.hpp"

#include <algorithm>
#include <bit>

#include "antipode/error.hpp"
#include "engine/cpu/instruction_set.hpp"

namespace antipode::cpu {

template <class Key>
SweepKernel<Key> best_sweep() {
  switch (best_instruction_set()) {
    case InstructionSet::avx512:
      return avx512_sweep<Key>();
    case InstructionSet::avx2:
      return avx2_sweep<Key>();
    default:
      return portable_sweep<Key>();
  }
}

template <class Key>
void LineSearch<Key>::run(std::span<const Vertex> sources, const std::function<bool()>& stop) {
  totals_ = {};
  std::fill(known_.begin(), known_.end(), 0);
  for (std::size_t lane = 0; lane < sources.size(); ++lane) {
    const Vertex v = folding_.place[sources[lane]];
    Key* const line = &lines_[v * kLanes<Key>];
    if ((known_[v / 64] >> v % 64 & 1) == 0) std::fill_n(line, kLanes<Key>, kFar<Key>);
    known_[v / 64] |= std::uint64_t{1} << v % 64;
    line[lane] = 0;
  }
  climb([&](Vertex v) { kernel_.climb(folding_, v, &lines_[0], known_.data()); });
  list_seeds();
  if (folding_.core > 0) search_core(sources.size(), stop);
  sweep(stop);
}

// rise(v) from the highest number down: what a climb reaches has a smaller number than where it
// comes from.
template <class Key>
template <class Rise>
void LineSearch<Key>::climb(Rise rise) {
  for (std::size_t word = known_.size(); word-- > folding_.core / 64;)
    for (std::uint64_t open = ~std::uint64_t{0}; (known_[word] & open) != 0;) {
      const int bit = 63 - std::countl_zero(known_[word] & open);
      open = (std::uint64_t{1} << bit) - 1;
      const auto v = static_cast<Vertex>(word * 64 + static_cast<std::size_t>(bit));
      if (v < folding_.core) break;
      rise(v);
    }
}

template <class Key>
std::span<const Key> LineSearch<Key>::run_one(std::span<const std::pair<Vertex, Key>> starts,
                                              const std::function<bool()>& stop) {
  const EdgeOffset* const offsets = folding_.offsets.data();
  const auto* const entries = folding_.entries.data();
  if (row_.empty()) refuse_bytes(folding_.order() * sizeof(Key), "a search with lengths");
  row_.assign(folding_.order(), kFar<Key>);
  std::fill(known_.begin(), known_.end(), 0);
  for (const auto& [v, key] : starts) {
    row_[v] = std::min(row_[v], key);
    known_[v / 64] |= std::uint64_t{1} << v % 64;
  }
  climb([&](Vertex v) {
    for (EdgeOffset i = offsets[v]; i < offsets[v + std::size_t{1}]; ++i) {
      const auto [above, length] = entries[i];
      row_[above] = std::min<Key>(row_[above], row_[v] + length);
      known_[above / 64] |= std::uint64_t{1} << above % 64;
    }
  });
  if (folding_.core > 0) {
    std::vector<typename Search::Entry> inside;
    for (Vertex v = 0; v < folding_.core; ++v)
      if (row_[v] < kFar<Key>) inside.push_back({row_[v], v});
    search_->run(inside, distances_, stop);
    for (Vertex v = 0; v < folding_.core; ++v) row_[v] = std::min(distances_[v], kFar<Key>);
  }
  for (Vertex v = folding_.core; v < folding_.order(); ++v) {
    if (v % kBetween == 0 && stop && stop()) throw Interrupted();
    Key best = row_[v];
    for (EdgeOffset i = offsets[v]; i < offsets[v + std::size_t{1}]; ++i)
      best = std::min<Key>(best, row_[entries[i].vertex] + entries[i].length);
    row_[v] = best;
  }
  return row_;
}

template <class Key>
void LineSearch<Key>::list_seeds() {
  seeds_.clear();
  for (std::size_t word = 0; word < known_.size(); ++word)
    for (std::uint64_t open = known_[word]; open != 0; open &= open - 1)
      seeds_.push_back(
          static_cast<Vertex>(word * 64 + static_cast<std::size_t>(std::countr_zero(open))));
}

// Each lane by a search of its own.
template <class Key>
void LineSearch<Key>::search_core(std::size_t lanes, const std::function<bool()>& stop) {
  const auto inside = std::lower_bound(seeds_.begin(), seeds_.end(), folding_.core);
  std::vector<std::vector<typename Search::Entry>> starts(lanes);
  for (auto seed = seeds_.begin(); seed != inside; ++seed)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (const Key key = lines_[*seed * kLanes<Key> + lane]; key < kFar<Key>)
        starts[lane].push_back({key, *seed});
  std::fill_n(lines_.begin(), folding_.core * kLanes<Key>, kFar<Key>);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    search_->run(starts[lane], distances_, stop);
    for (Vertex v = 0; v < folding_.core; ++v) {
      const Key key = distances_[v];
      if (key >= kFar<Key>) continue;
      lines_[v * kLanes<Key> + lane] = key;
      totals_.farthest[lane] = std::max(totals_.farthest[lane], key);
      totals_.sum[lane] += key;
      ++totals_.reached[lane];
    }
  }
  seeds_.erase(seeds_.begin(), inside);
}

template <class Key>
void LineSearch<Key>::sweep(const std::function<bool()>& stop) {
  const auto work = reach_ == Reach::all ? kernel_.sweep_reached_all : kernel_.sweep;
  auto seed = seeds_.begin();
  for (Vertex begin = folding_.core; begin < folding_.order();) {
    if (stop && stop()) throw Interrupted();
    const Vertex end = begin + std::min(kBetween, folding_.order() - begin);
    const auto last = std::lower_bound(seed, seeds_.end(), end);
    work({.folding = folding_,
          .lines = &lines_[0],
          .seeds = {seed, last},
          .begin = begin,
          .end = end,
          .longest = longest_},
         totals_);
    begin = end, seed = last;
  }
}

template SweepKernel<std::uint32_t> best_sweep();
template SweepKernel<std::uint64_t> best_sweep();
template class LineSearch<std::uint32_t>;
template class LineSearch<std::uint64_t>;

}  // namespace antipode::cpu
