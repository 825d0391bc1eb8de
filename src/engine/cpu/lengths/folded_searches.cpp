#include "engine/cpu/lengths/folded_searches.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include "antipode/error.hpp"
#include "engine/cpu/lengths/line_search.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

namespace {

template <class Key>
class Searches final : public FoldedSearches {
 public:
  Searches(const FoldingTask& task, LengthFolding<Key> folding)
      : folding_(std::move(folding)),
        core_(folding_),
        longest_(static_cast<Key>(task.longest)),
        reach_(task.reach),
        stop_(task.stop),
        members_(static_cast<std::size_t>(task.threads)) {
    const double core = 10.0 * folding_.core + 2.2 * static_cast<double>(core_.arcs.size());
    const double sweep = 0.12 * static_cast<double>(folding_.entries.size() - core_.arcs.size()) +
                         0.05 * folding_.order();
    source_cost_ = (core + sweep) / std::max(search_cost(task.graph), 1.0);
  }

  double source_cost() const override { return source_cost_; }
  bool is_complete() const override { return folding_.is_complete(); }
  bool may_fold_further() const override {
    return folding_.ended == LengthFolding<Key>::Ended::out_of_steps;
  }

  bool search_from(std::span<const PathStart> starts, std::span<Length> distances) override {
    Length base = kNoPath, last = 0;
    for (const PathStart& start : starts)
      if (start.from != kNoPath)
        base = std::min(base, start.from), last = std::max(last, start.from);
    // Where all vertices reach each other, a start that is farther off than that is of no effect.
    if (reach_ == Reach::some && base != kNoPath && last - base >= kFar<Key> - longest_)
      return false;
    std::vector<std::pair<Vertex, Key>> near;
    for (const PathStart& start : starts)
      if (start.from != kNoPath && (reach_ == Reach::some || start.from - base <= longest_))
        near.push_back({folding_.place[start.vertex], static_cast<Key>(start.from - base)});
    LineSearch<Key>& mine = search_of(0);
    const std::span<const Key> found = mine.run_one(near, stop_);
    for (std::size_t v = 0; v < distances.size(); ++v) {
      const Key key = found[folding_.place[v]];
      distances[v] = key >= kFar<Key> ? kNoPath : base + key;
    }
    return true;
  }

  std::vector<PathSummary> summarize(std::span<const Vertex> sources) override {
    std::vector<PathSummary> result(sources.size());
    search_lines(sources, [&](const LineSearch<Key>& line, std::span<const std::size_t> which) {
      for (std::size_t lane = 0; lane < which.size(); ++lane)
        result[which[lane]] = line.summary(lane);
    });
    return result;
  }

  void rows(std::span<const Vertex> sources, const LengthSink& sink) override {
    std::mutex one_at_a_time;
    std::vector<Length> lengths(folding_.order());
    search_lines(sources, [&](const LineSearch<Key>& line, std::span<const std::size_t> which) {
      for (std::size_t lane = 0; lane < which.size(); ++lane) {
        const std::lock_guard lock(one_at_a_time);
        line.read(lane, lengths);
        sink(sources[which[lane]], lengths);
      }
    });
  }

 private:
  // visit(line, the sources' positions), on any thread.
  template <class Visit>
  void search_lines(std::span<const Vertex> sources, Visit visit) {
    std::vector<std::size_t> order(sources.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return folding_.place[sources[a]] < folding_.place[sources[b]];
    });
    const std::size_t lines = (sources.size() + kLanes<Key> - 1) / kLanes<Key>;
    in_pieces(lines, 1, static_cast<int>(members_.size()),
              [&](std::size_t line, std::size_t, int member) {
                const std::size_t begin = line * kLanes<Key>;
                const auto which =
                    std::span(order).subspan(begin, std::min(kLanes<Key>, order.size() - begin));
                Vertex some[kLanes<Key>];
                for (std::size_t i = 0; i < which.size(); ++i) some[i] = sources[which[i]];
                LineSearch<Key>& mine = search_of(member);
                mine.run({some, which.size()}, stop_);
                visit(mine, which);
              });
  }

  LineSearch<Key>& search_of(int member) {
    auto& made = members_[static_cast<std::size_t>(member)];
    if (!made) {
      refuse_bytes(folding_.order() * std::uint64_t{64}, "a batch of searches with lengths");
      made = std::make_unique<LineSearch<Key>>(folding_, core_, longest_, reach_);
    }
    return *made;
  }

  LengthFolding<Key> folding_;
  Core<Key> core_;
  Key longest_;
  Reach reach_;
  std::function<bool()> stop_;
  std::vector<std::unique_ptr<LineSearch<Key>>> members_;
  double source_cost_ = 1;
};

template <class Key>
std::unique_ptr<FoldedSearches> fold_in(const FoldingTask& task) {
  auto folding = fold_lengths<Key>(
      task.graph.adjacency(),
      {.longest = task.longest, .most_steps = task.most_steps, .stop = task.stop});
  return std::make_unique<Searches<Key>>(task, std::move(folding));
}

}  // namespace

// Measured: road networks, grids, geometric and random graphs, within a factor of 1.5.
double search_cost(const Graph& graph) {
  return 12.0 * graph.order() + 3.5 * static_cast<double>(graph.arcs());
}

std::unique_ptr<FoldedSearches> fold_searches(const FoldingTask& task) {
  FoldingTask less = task;
  const auto need = [&] {
    return task.graph.order() * (100 + std::uint64_t{64} * static_cast<unsigned>(less.threads)) +
           task.graph.arcs() * 64;
  };
  while (less.threads > 1 && !fits_memory(need())) --less.threads;
  if (!fits_memory(need())) return nullptr;
  constexpr EdgeOffset kMostArcs = 1 << 29;  // so that the core's still have 32-bit offsets
  return task.longest < kFar<std::uint32_t> && task.graph.arcs() < kMostArcs
             ? fold_in<std::uint32_t>(less)
             : fold_in<std::uint64_t>(less);
}

}  // namespace antipode::cpu
