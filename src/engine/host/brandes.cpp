#include "engine/host/brandes.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <optional>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode::host {

namespace {

constexpr std::size_t kCheck = 1 << 14;  // vertices between two checks for an interrupt
constexpr double kMostPaths = 0x1p900;

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

double plain(double value) { return value; }
double plain(const Huge& value) { return std::ldexp(value.m, value.e); }
bool too_many(double paths) { return paths > kMostPaths; }
bool too_many(const Huge&) { return false; }

// The arrays of one thread, used for one source after the other.
template <class Number>
class SourceDependencies {
 public:
  explicit SourceDependencies(const Graph& graph)
      : graph_(graph.adjacency()),
        distances_(graph.order()),
        paths_(graph.order()),
        share_(graph.order()),
        queue_(graph.order() + std::size_t{1}) {}

  // False if there are too many paths for this kind of number; then nothing was added.
  bool add(Vertex source, std::span<const double> weights, Dependencies& sums,
           const std::function<bool()>& interrupted) {
    if (!count_paths(source, interrupted)) return false;
    for (std::size_t i = reached_; i-- > 1;) {
      if (i % kCheck == 0 && interrupted()) throw Interrupted();
      send_back(queue_[i], weights, weights[source], sums, true);
    }
    if (!sums.arcs.empty()) send_back(source, weights, weights[source], sums, false);
    return true;
  }

 private:
  // Whether a neighbour is new cannot be predicted, so it decides no branch.
  bool count_paths(Vertex source, const std::function<bool()>& interrupted) {
    std::fill(distances_.begin(), distances_.end(), kUnreached);
    std::fill(paths_.begin(), paths_.end(), Number{});
    distances_[source] = 0;
    paths_[source] = Number(1.0);
    queue_[0] = source;
    std::size_t end = 1;
    for (std::size_t i = 0; i < end; ++i) {
      if (i % kCheck == 0 && interrupted()) throw Interrupted();
      const Vertex v = queue_[i];
      const Distance next = distances_[v] + 1;
      const Number paths = paths_[v];
      if (too_many(paths)) return false;
      for (const Vertex u : graph_.neighbors(v)) {
        const Distance before = distances_[u],
                       now = std::min(before, next);  // kUnreached is the largest
        queue_[end] = u;  // one entry larger than the order, for this write
        end += before == kUnreached ? 1 : 0;
        distances_[u] = now;
        paths_[u] = paths_[u] + (now == next ? paths : Number{});
      }
    }
    reached_ = end;
    return true;
  }

  // The dependency of v: each neighbour one level farther contributes its weight plus its own
  // dependency, times the share of its paths that pass v.
  void send_back(Vertex v, std::span<const double> weights, double from_source, Dependencies& sums,
                 bool passes) {
    const Distance next = distances_[v] + 1;
    const EdgeOffset first = graph_.offsets[v];
    const auto around = graph_.neighbors(v);
    Number sum{};
    for (const Vertex u : around) sum = sum + (distances_[u] == next ? share_[u] : Number{});
    if (!sums.arcs.empty())
      for (std::size_t k = 0; k < around.size(); ++k)
        if (distances_[around[k]] == next)
          sums.arcs[first + k] += from_source * plain(paths_[v] * share_[around[k]]);
    const double through = plain(paths_[v] * sum);
    if (passes) sums.vertices[v] += from_source * through;
    share_[v] = Number(weights[v] + through) / paths_[v];
  }

  Adjacency graph_;
  std::vector<Distance> distances_;
  std::vector<Number> paths_, share_;  // share: weight plus dependency, per path
  std::vector<Vertex> queue_;
  std::size_t reached_ = 0;
};

Dependencies like(const Dependencies& sums) {
  return {.vertices = std::vector<double>(sums.vertices.size(), 0),
          .arcs = std::vector<double>(sums.arcs.size(), 0)};
}

void add(std::vector<double>& to, std::vector<double>& from) {
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

}  // namespace

void add_dependencies(const Graph& graph, int threads, std::span<const Vertex> sources,
                      Dependencies& sums, const std::function<bool()>& interrupted) {
  constexpr std::size_t kTogether = 16;  // sources whose sums are added together
  struct Thread {
    Dependencies sums;
    SourceDependencies<double> searches;
    std::optional<SourceDependencies<Huge>> huge;
  };
  const std::uint64_t each =
      std::uint64_t{graph.order()} * (4 + 8 + 8 + 4 + 8) + sums.arcs.size() * 8;
  while (threads > 1 && !fits_memory(each * static_cast<std::uint64_t>(threads))) --threads;
  refuse_bytes(each, "betweenness of this graph");
  std::vector<Thread> memory;  // allocated here, so that bad_alloc can propagate
  memory.reserve(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t)
    memory.push_back({like(sums), SourceDependencies<double>(graph), std::nullopt});
  Turns turns;
  in_team(threads, [&](int member) {
    Thread& me = memory[static_cast<std::size_t>(member)];
    try {
      for (std::size_t turn; (turn = turns.next()) * kTogether < sources.size();) {
        for (const Vertex source : sources.subspan(
                 turn * kTogether, std::min(kTogether, sources.size() - turn * kTogether))) {
          if (me.searches.add(source, sums.weights, me.sums, interrupted)) continue;
          if (!me.huge) me.huge.emplace(graph);
          me.huge->add(source, sums.weights, me.sums, interrupted);
        }
        if (!turns.wait_for(turn)) return;
        add(sums.vertices, me.sums.vertices);
        add(sums.arcs, me.sums.arcs);
        turns.pass(turn);
      }
    } catch (...) {
      turns.fail();
      throw;
    }
  });
}

}  // namespace antipode::host
