#include "engine/cpu/lanes.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "antipode/error.hpp"

namespace antipode::cpu {

namespace {

// How many words had each bit set, counted for all 64 bits at once: plane k holds bit k of every count.
class LaneCounter {
 public:
  void add(std::uint64_t lanes) {
    for (auto& plane : planes_) {
      const std::uint64_t carry = plane & lanes;
      plane ^= lanes;
      if (carry == 0) return;
      lanes = carry;
    }
  }
  std::uint32_t count(std::size_t lane) const {
    std::uint32_t total = 0;
    for (std::size_t k = 0; k < planes_.size(); ++k) total |= static_cast<std::uint32_t>(planes_[k] >> lane & 1) << k;
    return total;
  }

 private:
  std::array<std::uint64_t, 32> planes_{};
};

}  // namespace

LaneBatch::LaneBatch(const Graph& graph) : graph_(graph), seen_(graph.order()), next_(graph.order(), 0) {}

void LaneBatch::run(std::span<const Vertex> sources, std::span<Summary> summaries, const std::function<bool()>& interrupted) {
  const Lanes all = sources.size() == kLanes ? ~Lanes{0} : (Lanes{1} << sources.size()) - 1;
  std::fill(seen_.begin(), seen_.end(), 0);
  frontier_.clear();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    seen_[sources[i]] |= Lanes{1} << i;
    summaries[i] = {0, 1, 0};
  }
  for (const Vertex v : sources)
    if (std::none_of(frontier_.begin(), frontier_.end(), [v](const Arrival& a) { return a.vertex == v; }))
      frontier_.push_back({v, seen_[v]});

  for (Distance level = 1; !frontier_.empty(); ++level) {
    if (interrupted()) {
      std::fill(next_.begin(), next_.end(), 0);
      throw Interrupted();
    }
    if (worth_pulling()) {
      pull(all);
    } else {
      push();
    }
    LaneCounter counter;
    for (const Arrival& arrival : frontier_) {
      seen_[arrival.vertex] |= arrival.lanes;
      counter.add(arrival.lanes);
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::uint32_t count = counter.count(i);
      if (count == 0) continue;
      summaries[i].eccentricity = level;
      summaries[i].reached += count;
      summaries[i].distance_sum += std::uint64_t{level} * count;
    }
  }
}

bool LaneBatch::worth_pulling() const {
  EdgeOffset arcs = 0;
  for (const Arrival& arrival : frontier_) arcs += graph_.degree(arrival.vertex);
  return arcs > graph_.arcs() / 4;
}

void LaneBatch::push() {
  touched_.clear();
  for (const Arrival& arrival : frontier_)
    for (const Vertex u : graph_.neighbors(arrival.vertex)) {
      const Lanes fresh = arrival.lanes & ~seen_[u];
      if (fresh == 0) continue;
      if (next_[u] == 0) touched_.push_back(u);
      next_[u] |= fresh;
    }
  frontier_.clear();
  for (const Vertex v : touched_) {
    frontier_.push_back({v, next_[v]});
    next_[v] = 0;
  }
}

void LaneBatch::pull(Lanes all) {
  frontier_.clear();
  for (Vertex v = 0; v < graph_.order(); ++v) {
    const Lanes missing = all & ~seen_[v];
    if (missing == 0) continue;
    Lanes gathered = 0;
    for (const Vertex u : graph_.neighbors(v)) {
      gathered |= seen_[u];
      if ((missing & ~gathered) == 0) break;
    }
    if ((gathered & missing) != 0) frontier_.push_back({v, gathered & missing});
  }
}

}  // namespace antipode::cpu
