// Eccentricity bounds and candidate sets of all vertices, beside the CPU engine's rows.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "antipode/engine.hpp"
#include "engine/cpu/lanes.hpp"
#include "engine/cpu/offsets.hpp"
#include "graph/parallel.hpp"

namespace antipode::cpu {

class CpuBounds final : public Bounds {
 public:
  using RowOf = std::function<std::span<const Distance>(Row)>;
  using Interrupt = std::function<bool()>;
  CpuBounds(const Graph& graph, int threads, RowOf row_of, Lanes& lanes, Interrupt interrupted);

  void reset() override;
  void tighten(Row row, Vertex source, Distance eccentricity, Distance reach) override;
  BoundsSummary summary() const override;
  Vertex prune(Question question) override;
  Vertex select(Select rule, Row row) const override;
  void copy(std::span<Distance> lower, std::span<Distance> upper) const override;
  void restore(std::span<const Distance> lower, std::span<const Distance> upper) override;
  Vertex count(Among among) const override;
  bool is_candidate(Vertex v) const override;
  Distance max_upper(Among among) const override;
  Distance reach(Row row, Among among) const override;
  void tighten_candidates(Row row, Distance reach) override;
  void drop(Distance limit) override;
  void drop_inside(Row row, Distance reach, Distance limit) override;
  std::vector<Vertex> count_beyond(std::span<const Row> rows, Distance radius) const override;
  void set_ball(Row row, Distance radius) override;
  void widen_ball(Row row, Distance radius, std::span<const Vertex> clique) override;
  Vertex drop_stems() override;
  Vertex drop_twins() override;
  std::vector<Vertex> lowest(std::size_t most) const override;
  std::vector<Settled> settle(std::span<const Vertex> sources) override;
  std::size_t batch_size() const override { return lanes_.most(); }
  std::vector<Vertex> sample(Among among, std::size_t most, std::uint64_t seed) const override;
  std::vector<Reach> reach(std::span<const Vertex> sources) override;
  void drop_around(std::span<const Vertex> sources, std::span<const Reach> reaches,
                   Distance limit) override;

 private:
  enum Flag : unsigned char { kOutside = 1, kSearched = 2 };

  bool in(Vertex v, Among among) const {
    return among == Among::candidates || (flags_[v] & kOutside) != 0;
  }
  std::size_t candidates() const { return candidates_.size(); }
  void settle_by_lanes(std::span<const Vertex> sources, std::span<Settled> settled);
  void settle_by_searches(std::span<const Vertex> sources, std::span<Settled> settled);
  template <class Action>
  void for_candidates(Action action);
  template <class Leaves>
  void remove_if(Leaves leaves);
  template <class Value>
  Distance largest(Among among, Value value) const;
  template <class Key>
  Vertex best(std::size_t count, Key key) const;

  const Graph& graph_;
  int threads_;
  RowOf row_of_;
  Lanes& lanes_;
  Interrupt interrupted_;
  std::vector<Distance> lower_, upper_;
  std::vector<unsigned char> flags_;
  std::vector<Vertex>
      candidates_;  // in rising order; few are left after a few searches, and only they are visited
  mutable Vertex outside_count_ = kNoVertex;  // not counted since the sets last changed
  Distance levels_ =
      0;  // of the deepest search so far: deep graphs are searched one by one on each thread
  std::vector<unsigned char> descent_memory_;
  std::vector<unsigned char> marks_;  // of the batch at hand
  BatchStarts starts_;
  std::vector<Distance> around_;  // what their waves say
};

template <class Action>
void CpuBounds::for_candidates(Action action) {
  in_stretches(candidates(), threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) action(candidates_[i]);
  });
}

// Removes the candidates for which leaves(v) holds. Each thread packs its stretch, then the
// stretches close up.
template <class Leaves>
void CpuBounds::remove_if(Leaves leaves) {
  std::vector<std::span<Vertex>> stretches;
  std::mutex adding;
  in_stretches(candidates(), threads_, [&](std::size_t begin, std::size_t end) {
    std::size_t out = begin;
    for (std::size_t i = begin; i < end; ++i)
      if (!leaves(candidates_[i])) candidates_[out++] = candidates_[i];
    const std::lock_guard lock(adding);
    stretches.emplace_back(candidates_.data() + begin, out - begin);
  });
  std::sort(stretches.begin(), stretches.end(),
            [](std::span<Vertex> a, std::span<Vertex> b) { return a.data() < b.data(); });
  Vertex* out = candidates_.data();
  for (const std::span<Vertex> stretch : stretches)
    out = std::copy(stretch.begin(), stretch.end(), out);
  const auto left = static_cast<std::size_t>(out - candidates_.data());
  if (left != candidates()) outside_count_ = kNoVertex;
  candidates_.resize(left);
}

}  // namespace antipode::cpu
