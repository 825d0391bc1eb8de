// Numbers of paths beyond a double's range, and sums over sources that are the same with any number
// of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <vector>

#include "antipode/engine.hpp"
#include "graph/parallel.hpp"

namespace antipode::host {

inline constexpr double kMostPaths = 0x1p900;

// m × 2^e with m in [1, 2), or zero.
struct Huge {
  double m = 0;
  int e = 0;

  Huge() = default;
  explicit Huge(double value) {
    if (value == 0) return;
    m = 2 * std::frexp(value, &e);
    --e;
  }
  static Huge of(double mantissa, int exponent) {
    Huge result(mantissa);
    result.e += exponent;
    return result;
  }
  friend Huge operator+(const Huge& a, const Huge& b) {
    if (a.m == 0) return b;
    if (b.m == 0) return a;
    return a.e >= b.e ? of(a.m + std::ldexp(b.m, b.e - a.e), a.e)
                      : of(b.m + std::ldexp(a.m, a.e - b.e), b.e);
  }
  friend Huge operator*(const Huge& a, const Huge& b) { return of(a.m * b.m, a.e + b.e); }
  friend Huge operator/(const Huge& a, const Huge& b) { return of(a.m / b.m, a.e - b.e); }
};

inline double plain(double value) { return value; }
inline double plain(const Huge& value) { return std::ldexp(value.m, value.e); }
inline bool too_many(double paths) { return paths > kMostPaths; }
inline bool too_many(const Huge&) { return false; }

inline Dependencies zeros_like(const Dependencies& sums) {
  return {.vertices = std::vector<double>(sums.vertices.size(), 0),
          .arcs = std::vector<double>(sums.arcs.size(), 0)};
}

inline void add(std::vector<double>& to, std::vector<double>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  std::fill(from.begin(), from.end(), 0.0);
}

// Sums are added in the order of the sources: each thread waits for its turn.
class Turns {
 public:
  std::size_t next() { return next_.fetch_add(1, std::memory_order_relaxed); }
  bool wait_for(std::size_t turn) {  // false: another thread has failed
    for (std::uint32_t now; (now = now_.load(std::memory_order_acquire)) != turn;) {
      if (now == kFailed) return false;
      if (!Spinning::until([&] { return now_.load(std::memory_order_relaxed) != now; }))
        now_.wait(now);
    }
    return true;
  }
  void pass(std::size_t turn) {
    std::uint32_t mine = static_cast<std::uint32_t>(turn);
    // Unless another thread has failed.
    now_.compare_exchange_strong(mine, mine + 1, std::memory_order_acq_rel);
    now_.notify_all();
  }
  void fail() {
    now_.store(kFailed);
    now_.notify_all();
  }

 private:
  static constexpr std::uint32_t kFailed = ~std::uint32_t{0};
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint32_t> now_{0};
};

// own(member) is what a thread adds up, zero at first; work(member, part) adds some sources to it.
template <class Own, class Work>
void add_in_turns(int threads, std::span<const Vertex> sources, std::size_t together,
                  Dependencies& sums, Own own, Work work) {
  Turns turns;
  in_team(threads, [&](int member) {
    Dependencies& mine = own(member);
    try {
      for (std::size_t turn; (turn = turns.next()) * together < sources.size();) {
        work(member, sources.subspan(turn * together,
                                     std::min(together, sources.size() - turn * together)));
        if (!turns.wait_for(turn)) return;
        add(sums.vertices, mine.vertices);
        add(sums.arcs, mine.arcs);
        turns.pass(turn);
      }
    } catch (...) {
      turns.fail();
      throw;
    }
  });
}

}  // namespace antipode::host
