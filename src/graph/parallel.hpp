// Parallel loops: teams of the thread pool, loops in pieces, folds, prefix sums, and relaxed access
// to shared arrays. Every thread is optional. A team starts at once with the calling thread; others
// join when they wake up, and the caller waits only for those that joined. So a busy machine costs
// little more than one thread would.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "graph/limits.hpp"

namespace antipode {

// Fewer items than this are done before a second thread has woken up.
inline constexpr std::size_t kWorthThreads = 1 << 15;

int threads_for(std::size_t work);  // for so many items: threads() (graph.hpp), or one

struct TeamJob {
  void* context;
  void (*call)(void* context, int member);
};
void run_team(int team, const TeamJob& job);

// job(member) on this thread, as member 0, and on up to team - 1 others, as members 1 to team - 1.
// Each member must be able to do all of the work, since any number may join. An exception of a
// member is thrown here once all have ended. Inside a team, or while another thread uses the pool,
// the caller works alone.
template <class Job>
void in_team(int team, Job&& job) {
  if (team <= 1) return job(0);
  using Plain = std::remove_reference_t<Job>;
  run_team(team, {const_cast<void*>(static_cast<const void*>(&job)),
                  [](void* context, int member) { (*static_cast<Plain*>(context))(member); }});
}

// Polls briefly, without giving up the core, until ready() holds. False: it did not in time.
class Spinning {
 public:
  template <class Ready>
  static bool until(Ready ready) {
    Spinning spinning;
    do
      for (int i = 0; i < kTurns; ++i) {
        if (ready()) return true;
        relax();
      }
    while (spinning.goes_on());
    return ready();
  }

 private:
  static constexpr int kTurns = 16;
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  bool goes_on();

  std::int64_t start_ = 0, last_ = 0;  // nanoseconds
};

template <class T>
T relaxed_load(const T& cell) {
  return std::atomic_ref<T>(const_cast<T&>(cell)).load(std::memory_order_relaxed);
}

template <class T>
void relaxed_store(T& cell, T value) {
  std::atomic_ref<T>(cell).store(value, std::memory_order_relaxed);
}

template <class T>
T relaxed_add(T& cell, T value) {
  return std::atomic_ref<T>(cell).fetch_add(value, std::memory_order_relaxed);
}

// work(begin, end, member) over [0, count) in pieces of `grain` items, each taken by the next free
// member. Before each piece an interrupt is checked.
template <class Work>
void in_pieces(std::size_t count, std::size_t grain, int threads, Work work) {
  const auto most = static_cast<int>(std::min<std::size_t>(
      static_cast<std::size_t>(std::max(threads, 1)), (count + grain - 1) / grain));
  if (most <= 1) {
    for (std::size_t begin = 0; begin < count; begin += grain) {
      stop_if_asked();
      work(begin, std::min(begin + grain, count), 0);
    }
    return;
  }
  alignas(64) std::atomic<std::size_t> next{0};
  in_team(most, [&](int member) {
    try {
      for (std::size_t begin; (begin = next.fetch_add(grain, std::memory_order_relaxed)) < count;) {
        stop_if_asked();
        work(begin, std::min(begin + grain, count), member);
      }
    } catch (...) {
      next.store(count, std::memory_order_relaxed);  // ends the loops of the others
      throw;
    }
  });
}

// As in_pieces, but every member first takes the pieces of its own share, which is the same in
// every loop of this length: its data may still be in its cache. Then it helps the others.
template <class Work>
void in_shares(std::size_t count, std::size_t grain, int threads, Work work) {
  const std::size_t pieces = (count + grain - 1) / grain;
  const auto team = static_cast<int>(
      std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), pieces));
  if (team <= 1) {
    for (std::size_t begin = 0; begin < count; begin += grain) {
      stop_if_asked();
      work(begin, std::min(begin + grain, count), 0);
    }
    return;
  }
  struct alignas(64) Share {
    std::atomic<std::size_t> next;
    std::size_t end;
  };
  constexpr int kOnStack = 16;
  Share near[kOnStack];
  std::unique_ptr<Share[]> many;
  Share* const shares =
      team <= kOnStack ? near
                       : (many = std::make_unique<Share[]>(static_cast<std::size_t>(team))).get();
  for (int t = 0; t < team; ++t) {
    shares[t].next = pieces * static_cast<std::size_t>(t) / static_cast<std::size_t>(team);
    shares[t].end = pieces * static_cast<std::size_t>(t + 1) / static_cast<std::size_t>(team);
  }
  in_team(team, [&](int member) {
    try {
      for (int i = 0; i < team; ++i) {
        Share& share = shares[(member + i) % team];
        while (share.next.load(std::memory_order_relaxed) < share.end) {
          const std::size_t piece = share.next.fetch_add(1, std::memory_order_relaxed);
          if (piece >= share.end) break;
          stop_if_asked();
          work(piece * grain, std::min((piece + 1) * grain, count), member);
        }
      }
    } catch (...) {
      for (int i = 0; i < team; ++i) shares[i].next.store(pieces, std::memory_order_relaxed);
      throw;
    }
  });
}

// work(begin, end) over [0, count) in a few chunks per thread. Few items are done by the caller
// alone.
template <class Work>
void in_chunks(std::size_t count, int threads, Work work) {
  constexpr std::size_t kEach = 4;
  if (threads == 1 || count <= kWorthThreads) return work(std::size_t{0}, count);
  const std::size_t chunks = kEach * static_cast<std::size_t>(threads);
  in_shares(count, (count + chunks - 1) / chunks, threads,
            [&](std::size_t begin, std::size_t end, int) { work(begin, end); });
}

// fold(… fold(first, value(0)) …, value(count - 1)), in any order.
template <class T, class Fold, class Value>
T fold(std::size_t count, int threads, T first, Fold fold, Value value) {
  T result = first;
  std::mutex adding;
  in_chunks(count, threads, [&](std::size_t begin, std::size_t end) {
    T mine = first;
    for (std::size_t i = begin; i < end; ++i) mine = fold(mine, value(i));
    const std::lock_guard lock(adding);
    result = fold(result, mine);
  });
  return result;
}

// Replaces each value by the sum of the values before it; returns the sum of all.
template <class T>
T exclusive_sum(std::vector<T>& values, int threads) {
  const std::size_t count = values.size();
  const auto summed = [&](std::size_t begin, std::size_t end, T sum) {
    for (std::size_t i = begin; i < end; ++i) {
      const T value = values[i];
      values[i] = sum;
      sum += value;
    }
    return sum;
  };
  if (threads <= 1 || count <= kWorthThreads) return summed(0, count, T{0});
  const std::size_t parts = 4 * static_cast<std::size_t>(threads),
                    grain = (count + parts - 1) / parts;
  std::vector<T> before(parts + 1, T{0});  // first the sum of each part, then of all before it
  in_shares(count, grain, threads, [&](std::size_t begin, std::size_t end, int) {
    T sum{0};
    for (std::size_t i = begin; i < end; ++i) sum += values[i];
    before[begin / grain + 1] = sum;
  });
  for (std::size_t part = 1; part <= parts; ++part) before[part] += before[part - 1];
  in_shares(count, grain, threads, [&](std::size_t begin, std::size_t end, int) {
    summed(begin, end, before[begin / grain]);
  });
  return before.back();
}

}  // namespace antipode
