// Eccentricity bounds and candidate sets of all vertices in host memory: for the CPU engine, and
// for every engine without its own. A derived class provides distances and batches. Candidates are
// a list, so that late rounds touch only the remaining ones. Memory: 9 bytes per vertex, 4 more for
// the list, 8 for batches.
#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <vector>

#include "antipode/engine.hpp"
#include "engine/host/farthest_request.hpp"
#include "engine/host/offset_sources.hpp"
#include "graph/parallel.hpp"

namespace antipode::host {

class HostBounds : public EccentricityBounds, public CandidateSets {
 public:
  HostBounds(const Graph& graph, int threads);

  void reset() override;
  void tighten(DistanceHandle distances, Vertex source, Distance eccentricity,
               Distance farthest) override;
  std::vector<SourceOutcome> tighten_from(std::span<const Vertex> sources) override;
  BoundsSummary summary() const override;
  Vertex prune(Question question) override;
  Vertex select(Select rule, DistanceHandle distances) const override;
  std::vector<Vertex> lowest(std::size_t most) const override;
  void copy(std::span<Distance> lower, std::span<Distance> upper) const override;
  void restore(std::span<const Distance> lower, std::span<const Distance> upper) override;

  Census census() const override;
  bool contains(Vertex candidate) const override;
  std::vector<Vertex> sample(Among among, std::size_t most, std::uint64_t seed) const override;
  Distance farthest_in(Among among, DistanceHandle distances) const override;
  void eliminate(DistanceHandle distances, Among among, Distance farthest, Distance limit) override;
  void drop(Distance limit) override;
  void drop_pendant_paths() override;
  void drop_twins() override;
  void set_ball(DistanceHandle center, Distance radius) override;
  void widen_ball(DistanceHandle center, Distance radius, std::span<const Vertex> clique) override;
  std::size_t choose_ball(std::span<const DistanceHandle> centers, Distance radius) override;
  std::vector<FarthestDistance> farthest_from(std::span<const Vertex> sources) override;
  void eliminate_around(std::span<const Vertex> sources, std::span<const FarthestDistance> farthest,
                        Distance limit) override;

 protected:
  virtual std::span<const Distance> distances_of(DistanceHandle handle) const = 0;
  virtual void find_farthest(std::span<const Vertex> sources, const FarthestRequest& request) = 0;

  // Results of searches, added to the bounds.
  void mark_searched(std::span<const Vertex> sources, std::span<SourceOutcome> outcomes);
  Distance deepest() const { return deepest_; }  // largest eccentricity found so far
  void raise_lower(std::span<const Distance> lower);
  void reduce_upper(std::span<const Distance> upper);

 private:
  enum Flag : unsigned char { kOutside = 1, kSearched = 2 };

  bool in(Vertex v, Among among) const {
    return among == Among::candidates || (flags_[v] & kOutside) != 0;
  }
  template <class Action>
  void for_candidates(Action action);
  template <class Leaves>
  void remove_if(Leaves leaves);
  template <class Key>
  Vertex best(std::size_t count, Key key) const;

  const Graph& graph_;
  int threads_;
  std::vector<Distance> lower_, upper_;
  std::vector<unsigned char> flags_;
  std::vector<Vertex> candidates_;  // in rising order
  mutable Census census_;
  mutable bool census_known_ = false;  // census_ is up to date
  Distance deepest_ = 0;
  std::vector<unsigned char> descent_memory_;
  std::vector<unsigned char> marks_;  // of the present batch
  BatchOffsets starts_;
  std::vector<Distance> around_;  // values of the offset searches from starts_
};

template <class Action>
void HostBounds::for_candidates(Action action) {
  in_chunks(candidates_.size(), threads_, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) action(candidates_[i]);
  });
}

// Removes the candidates for which leaves(v) holds. Each thread packs its chunk; then the chunks
// close up.
template <class Leaves>
void HostBounds::remove_if(Leaves leaves) {
  std::vector<std::span<Vertex>> chunks;
  std::mutex adding;
  in_chunks(candidates_.size(), threads_, [&](std::size_t begin, std::size_t end) {
    std::size_t out = begin;
    for (std::size_t i = begin; i < end; ++i)
      if (!leaves(candidates_[i])) candidates_[out++] = candidates_[i];
    const std::lock_guard lock(adding);
    chunks.emplace_back(candidates_.data() + begin, out - begin);
  });
  std::sort(chunks.begin(), chunks.end(),
            [](std::span<Vertex> a, std::span<Vertex> b) { return a.data() < b.data(); });
  Vertex* out = candidates_.data();
  for (const std::span<Vertex> chunk : chunks) out = std::copy(chunk.begin(), chunk.end(), out);
  const auto left = static_cast<std::size_t>(out - candidates_.data());
  if (left != candidates_.size()) census_known_ = false;
  candidates_.resize(left);
}

}  // namespace antipode::host
