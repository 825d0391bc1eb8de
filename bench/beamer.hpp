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

namespace antipode::bench {

class Beamer {
 public:
  explicit Beamer(const Graph& graph) : graph_(graph.rows()) {}

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

  void prepare(Vertex source) {
    const Vertex n = graph_.order();
    parent_ = std::make_unique_for_overwrite<std::int32_t[]>(n);
    queue_ = std::make_unique_for_overwrite<Vertex[]>(n);
#pragma omp parallel for
    for (Vertex v = 0; v < n; ++v)
      parent_[v] = graph_.degree(v) == 0 ? -1 : -static_cast<std::int32_t>(graph_.degree(v));
    parent_[source] = static_cast<std::int32_t>(source);
    queue_[0] = source;
    begin_ = 0, end_ = 1, added_ = 1;
    now_ = Bits((n + 63) / 64);
    next_ = Bits((n + 63) / 64);
  }

  std::int64_t push_level() {
    std::int64_t scouted = 0;
#pragma omp parallel reduction(+ : scouted)
    {
      Arrivals arrivals(*this);
#pragma omp for nowait
      for (std::size_t i = begin_; i < end_; ++i)
        for (const Vertex u : graph_.neighbors(queue_[i])) {
          std::int32_t known = parent_[u];
          if (known >= 0 ||
              !std::atomic_ref(parent_[u])
                   .compare_exchange_strong(known, static_cast<std::int32_t>(queue_[i])))
            continue;
          scouted -= known;
          arrivals.add(u);
        }
    }
    begin_ = end_, end_ = added_;
    return scouted;
  }

  Distance pull_levels() {
    const Vertex n = graph_.order();
#pragma omp parallel for
    for (std::size_t i = begin_; i < end_; ++i)
      std::atomic_ref(now_[queue_[i] / 64])
          .fetch_or(std::uint64_t{1} << queue_[i] % 64, std::memory_order_relaxed);
    std::int64_t awake = static_cast<std::int64_t>(end_ - begin_), before = 0;
    Distance levels = 0;
    do {
      before = awake;
      awake = pull_level();
      levels += awake > 0;
      now_.swap(next_);
    } while (awake >= before || awake > n / kBeta);
    begin_ = end_ = added_ = 0;  // what was in the queue is done with
#pragma omp parallel
    {
      Arrivals arrivals(*this);
#pragma omp for nowait
      for (Vertex v = 0; v < n; ++v)
        if ((now_[v / 64] >> v % 64 & 1) != 0) arrivals.add(v);
    }
    end_ = added_;
    return levels;
  }

  std::int64_t pull_level() {
    std::fill(next_.begin(), next_.end(), 0);
    std::int64_t awake = 0;
#pragma omp parallel for reduction(+ : awake) schedule(dynamic, 1024)
    for (Vertex v = 0; v < graph_.order(); ++v) {
      if (parent_[v] >= 0) continue;
      for (const Vertex u : graph_.neighbors(v)) {
        if ((now_[u / 64] >> u % 64 & 1) == 0) continue;
        parent_[v] = static_cast<std::int32_t>(u);
        ++awake;
        next_[v / 64] |= std::uint64_t{1}
                         << v % 64;  // a thread has 1,024 vertices in a row: no word is shared
        break;
      }
    }
    return awake;
  }

  Rows graph_;
  std::unique_ptr<std::int32_t[]> parent_;
  std::unique_ptr<Vertex[]> queue_;  // of a search; its last level from begin_ to end_
  std::size_t begin_ = 0, end_ = 0;
  std::atomic<std::size_t> added_ = 0;
  Bits now_, next_;
};

}  // namespace antipode::bench
