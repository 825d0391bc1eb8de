// Searches of a folded graph by one thread, a line of sources at a time (sweep.hpp). If the folding
// has a core, each lane searches it by buckets, from where its climb entered it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/cpu/lengths/bucket_search.hpp"
#include "engine/cpu/lengths/folded_searches.hpp"
#include "engine/cpu/lengths/sweep.hpp"

namespace antipode::cpu {

template <class Key>
using WidthOf = std::conditional_t<sizeof(Key) == 4, Narrow, Wide>;

// The core as a graph: its neighbours come first among the entries.
template <class Key>
PackedArcs<WidthOf<Key>> core_arcs(const LengthFolding<Key>& folding) {
  const EdgeOffset count = folding.offsets[folding.core];
  std::vector<Vertex> targets(count);
  std::vector<Length> lengths(count);
  for (EdgeOffset i = 0; i < count; ++i)
    targets[i] = folding.entries[i].vertex, lengths[i] = folding.entries[i].length;
  return PackedArcs<WidthOf<Key>>(
      {.offsets = std::span(folding.offsets).first(std::size_t{folding.core} + 1),
       .targets = targets,
       .lengths = lengths});
}

// The core of a folding, and what a search of it needs.
template <class Key>
struct Core {
  explicit Core(const LengthFolding<Key>& folding) : arcs(core_arcs(folding)) {
    LengthRange range;
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      range.longest = std::max<Length>(range.longest, arcs.arcs()[i].length);
      range.mean += static_cast<double>(arcs.arcs()[i].length) / static_cast<double>(arcs.size());
    }
    plan = plan_buckets(range);
  }
  PackedArcs<WidthOf<Key>> arcs;
  BucketPlan plan;
};

// One line of searches after the other, by one thread.
template <class Key>
class LineSearch {
  using Search = BucketSearch<WidthOf<Key>>;
  static constexpr Vertex kBetween = 1 << 15;  // vertices between two questions whether to stop

 public:
  LineSearch(const LengthFolding<Key>& folding, const Core<Key>& core, Key longest, Reach reach)
      : folding_(folding),
        longest_(longest),
        reach_(reach),
        kernel_(best_sweep<Key>()),
        lines_(folding.order() * kLanes<Key>),
        known_(folding.order() / 64 + 1, 0) {
    if (folding.core == 0) return;
    search_ = std::make_unique<Search>(core.arcs, core.plan);
    distances_.resize(folding.core);
  }

  // `sources`: vertices of the graph, at most a line.
  void run(std::span<const Vertex> sources, const std::function<bool()>& stop);
  // One search with starts in new numbers. The distances, in new numbers, stay until the next one.
  std::span<const Key> run_one(std::span<const std::pair<Vertex, Key>> starts,
                               const std::function<bool()>& stop);
  PathSummary summary(std::size_t lane) const {
    return {.eccentricity = totals_.farthest[lane],
            .reached = static_cast<Vertex>(totals_.reached[lane]),
            .distance_sum = totals_.sum[lane]};
  }
  void read(std::size_t lane, std::span<Length> lengths) const {
    for (std::size_t v = 0; v < lengths.size(); ++v) {
      const Key key = lines_[folding_.place[v] * kLanes<Key> + lane];
      lengths[v] = key == kFar<Key> ? kNoPath : Length{key};
    }
  }

 private:
  template <class Rise>
  void climb(Rise rise);
  void list_seeds();
  void search_core(std::size_t lanes, const std::function<bool()>& stop);
  void sweep(const std::function<bool()>& stop);

  const LengthFolding<Key>& folding_;
  Key longest_;
  Reach reach_;
  SweepKernel<Key> kernel_;
  Buffer<Key> lines_;
  std::vector<std::uint64_t> known_;  // a bit for each line that the climb has touched
  std::vector<Vertex> seeds_;         // those vertices, ascending
  LaneTotals<Key> totals_;
  std::unique_ptr<Search> search_;  // of the core
  std::vector<Key> distances_;
  std::vector<Key> row_;  // of run_one
};

extern template class LineSearch<std::uint32_t>;
extern template class LineSearch<std::uint64_t>;

}  // namespace antipode::cpu
