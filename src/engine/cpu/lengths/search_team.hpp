// Independent searches in one direction, one per thread: narrow as long as the distances allow,
// then wide. Memory: the packed arcs once; for each thread that searches, the distances and what
// waits.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "antipode/error.hpp"
#include "antipode/path_engine.hpp"
#include "engine/cpu/lengths/bucket_search.hpp"

namespace antipode::cpu {

// The arcs of one direction in one width, and a search for each thread.
template <class Width>
class SearchesOf {
 public:
  using Key = typename Width::Key;
  using Search = BucketSearch<Width>;

  SearchesOf(const Adjacency& adjacency, const BucketPlan& plan, int threads)
      : arcs_(adjacency), plan_(plan), members_(static_cast<std::size_t>(threads)) {}

  // The distances stay until the next search of this member. Empty: they are too long.
  std::span<const Key> run(int member, std::span<const PathStart> starts, Length base,
                           const std::function<bool()>& stop) {
    auto& mine = members_[static_cast<std::size_t>(member)];
    if (!mine) {
      refuse_bytes(arcs_.order() * sizeof(Key), "a search with lengths");
      mine = std::make_unique<Member>(arcs_, plan_);
    }
    mine->starts.clear();
    for (const PathStart& start : starts)
      if (start.from != kNoPath)
        mine->starts.push_back({static_cast<Key>(start.from - base), start.vertex});
    const std::span<Key> distances(mine->distances.begin(), mine->distances.end());
    if (mine->search.run(mine->starts, distances, stop) == Search::End::too_long) return {};
    return distances;
  }

 private:
  struct Member {
    Member(const PackedArcs<Width>& arcs, const BucketPlan& plan)
        : search(arcs, plan), distances(arcs.order()) {}
    Search search;
    Buffer<Key> distances;
    std::vector<typename Search::Entry> starts;
  };

  PackedArcs<Width> arcs_;
  BucketPlan plan_;
  std::vector<std::unique_ptr<Member>> members_;
};

class SearchTeam {
 public:
  SearchTeam(const Graph& graph, int threads) : graph_(graph), threads_(threads) {
    range_ = length_range(graph_.adjacency());
    needs_wide_ = !PackedArcs<Narrow>::fits(graph_.adjacency(), range_.longest);
  }

  // visit(distances, base) with distances in 32 or 64 bits: the true ones less the base, and the
  // largest value where there is no path. At most one search of a member at a time.
  template <class Visit>
  void run(int member, std::span<const PathStart> starts, const std::function<bool()>& stop,
           Visit visit) {
    Length base = kNoPath, last = 0;
    for (const PathStart& start : starts)
      if (start.from != kNoPath)
        base = std::min(base, start.from), last = std::max(last, start.from);
    if (base == kNoPath) base = 0;
    if (graph_.order() == 0) return visit(std::span<const Narrow::Key>(), base);
    if (!needs_wide_.load(std::memory_order_relaxed) && last - base < kKeyLimit<Narrow>) {
      const auto distances = made(narrow_).run(member, starts, base, stop);
      if (!distances.empty()) return visit(distances, base);
      needs_wide_.store(true, std::memory_order_relaxed);
    }
    const auto distances = made(wide_).run(member, starts, base, stop);
    if (distances.empty()) throw UsageError("the starts of a search are too far from each other");
    visit(distances, base);
  }

 private:
  template <class Width>
  SearchesOf<Width>& made(std::unique_ptr<SearchesOf<Width>>& searches) {
    const std::lock_guard lock(making_);
    if (!searches)
      searches =
          std::make_unique<SearchesOf<Width>>(graph_.adjacency(), plan_buckets(range_), threads_);
    return *searches;
  }

  Graph graph_;
  int threads_;
  LengthRange range_;
  std::atomic<bool> needs_wide_{false};
  std::mutex making_;
  std::unique_ptr<SearchesOf<Narrow>> narrow_;
  std::unique_ptr<SearchesOf<Wide>> wide_;
};

}  // namespace antipode::cpu
