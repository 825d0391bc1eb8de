// The peer of our single search: direction-optimizing search as Beamer, Asanović and Patterson
// describe it (SC 2012), with the parameters and the parallel structure of the GAP benchmark suite
// (arXiv 1508.03619), written anew from those texts: parents, negative degrees in place of unknown
// ones, queues of each thread flushed into one, bitmaps while pulling, α = 15, β = 18. Memory is
// allocated for every search, as there.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "antipode/graph.hpp"
#include "graph/parallel.hpp"

namespace antipode::bench {

class Beamer {
 public:
  explicit Beamer(const Graph& graph) : graph_(graph.adjacency()) {}

  // How many levels there are: the source's eccentricity.
  Distance search(Vertex source) {
    prepare(source);
    std::int64_t unexplored = static_cast<std::int64_t>(graph_.arcs()),
                 scouted = graph_.degree(source);
    Distance levels = 0;
    while (begin_ < end_) {
      if (scouted > unexplored / kAlpha) {
        levels += pull_levels();
        scouted = 1;
      } else {
        unexplored -= scouted;
        scouted = push_level();
        levels += begin_ < end_;
      }
    }
    return levels;
  }

 private:
  static constexpr std::int64_t kAlpha = 15, kBeta = 18;
  using Bits = std::vector<std::uint64_t>;

  // A thread's arrivals, moved to the end of the queue when they are many.
  class Arrivals {
   public:
    explicit Arrivals(Beamer& search) : search_(search) {}
    ~Arrivals() { flush(); }
    void add(Vertex v) {
      if (count_ == kMany) flush();
      mine_[count_++] = v;
    }

   private:
    static constexpr std::size_t kMany = 16384;
    void flush() {
      std::copy(mine_.get(), mine_.get() + count_,
                search_.queue_.get() + search_.added_.fetch_add(count_));
      count_ = 0;
    }
    Beamer& search_;
    std::unique_ptr<Vertex[]> mine_ = std::make_unique_for_overwrite<Vertex[]>(kMany);
    std::size_t count_ = 0;
  };

  template <class Work>
  void for_all(std::size_t count, Work work) {
    in_shares(count, (count + threads_ - 1) / threads_, static_cast<int>(threads_),
              [&](std::size_t first, std::size_t last, int) {
                for (std::size_t i = first; i < last; ++i) work(i);
              });
  }

  void prepare(Vertex source) {
    const Vertex n = graph_.order();
    parent_ = std::make_unique_for_overwrite<std::int32_t[]>(n);
    queue_ = std::make_unique_for_overwrite<Vertex[]>(n);
    for_all(n, [&](std::size_t v) {
      parent_[v] = graph_.degree(static_cast<Vertex>(v)) == 0
                       ? -1
                       : -static_cast<std::int32_t>(graph_.degree(static_cast<Vertex>(v)));
    });
    parent_[source] = static_cast<std::int32_t>(source);
    queue_[0] = source;
    begin_ = 0, end_ = 1, added_ = 1;
    now_ = Bits((n + 63) / 64);
    next_ = Bits((n + 63) / 64);
  }

  std::int64_t push_level() {
    std::int64_t scouted = 0;
    const std::size_t grain = (end_ - begin_ + threads_ - 1) / threads_;
    in_shares(end_ - begin_, grain, static_cast<int>(threads_),
              [&](std::size_t first, std::size_t last, int) {
                Arrivals arrivals(*this);
                std::int64_t mine = 0;
                for (std::size_t i = begin_ + first; i < begin_ + last; ++i)
                  for (const Vertex u : graph_.neighbors(queue_[i])) {
                    std::int32_t known = parent_[u];
                    if (known >= 0 ||
                        !std::atomic_ref(parent_[u])
                             .compare_exchange_strong(known, static_cast<std::int32_t>(queue_[i])))
                      continue;
                    mine -= known;
                    arrivals.add(u);
                  }
                relaxed_add(scouted, mine);
              });
    begin_ = end_, end_ = added_;
    return scouted;
  }

  Distance pull_levels() {
    const Vertex n = graph_.order();
    for_all(end_ - begin_, [&](std::size_t i) {
      std::atomic_ref(now_[queue_[begin_ + i] / 64])
          .fetch_or(std::uint64_t{1} << queue_[begin_ + i] % 64, std::memory_order_relaxed);
    });
    std::int64_t awake = static_cast<std::int64_t>(end_ - begin_), before = 0;
    Distance levels = 0;
    do {
      before = awake;
      awake = pull_level();
      levels += awake > 0;
      now_.swap(next_);
    } while (awake >= before || awake > n / kBeta);
    begin_ = end_ = added_ = 0;  // what was in the queue is done with
    in_shares(n, (n + threads_ - 1) / threads_, static_cast<int>(threads_),
              [&](std::size_t first, std::size_t last, int) {
                Arrivals arrivals(*this);
                for (std::size_t v = first; v < last; ++v)
                  if ((now_[v / 64] >> v % 64 & 1) != 0) arrivals.add(static_cast<Vertex>(v));
              });
    end_ = added_;
    return levels;
  }

  std::int64_t pull_level() {
    std::fill(next_.begin(), next_.end(), 0);
    std::int64_t awake = 0;
    in_pieces(graph_.order(), 1024, static_cast<int>(threads_),
              [&](std::size_t first, std::size_t last, int) {
                std::int64_t mine = 0;
                for (Vertex v = static_cast<Vertex>(first); v < last; ++v) {
                  if (parent_[v] >= 0) continue;
                  for (const Vertex u : graph_.neighbors(v)) {
                    if ((now_[u / 64] >> u % 64 & 1) == 0) continue;
                    parent_[v] = static_cast<std::int32_t>(u);
                    ++mine;
                    next_[v / 64] |=
                        std::uint64_t{1}
                        << v % 64;  // a thread has 1,024 vertices in a row: no word is shared
                    break;
                  }
                }
                relaxed_add(awake, mine);
              });
    return awake;
  }

  Adjacency graph_;
  std::size_t threads_ = threads();
  std::unique_ptr<std::int32_t[]> parent_;
  std::unique_ptr<Vertex[]> queue_;  // of a search; its last level from begin_ to end_
  std::size_t begin_ = 0, end_ = 0;
  std::atomic<std::size_t> added_ = 0;
  Bits now_, next_;
};

}  // namespace antipode::bench
