// Eccentricity bounds and candidate sets of all vertices, resident on the GPU. Algorithm 2 of Dal,
// Kosters and Takes (PDP 2014) is `tighten` and `prune`. A request is one or two kernels over all
// vertices, and only numbers come back. Memory: 9 bytes per vertex; 12 more for batches, 8 for
// balls around cliques, 4 for each concurrent search.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "engine/cuda/device/reduce.hpp"
#include "engine/cuda/layout/device_graph.hpp"
#include "engine/cuda/layout/search_result.hpp"
#include "engine/host/offset_sources.hpp"

namespace antipode::cuda {

class Lanes;
class Traversal;
class OffsetSearches;

// Candidates survive only if they may end a path longer than `value`, or than the eccentricity at
// hand if `or_eccentricity` and that is larger.
struct RoundLimit {
  Distance value;
  bool or_eccentricity;
};

// A search that may still run on the GPU; null pointers: none.
struct SearchRef {
  const Distance* distances = nullptr;
  const SearchOutcome* outcome = nullptr;
};

struct ApplySearchJob;
struct RoundControl;
struct RoundAnswer;

// A census as kernels count it.
struct SetCounts {
  Vertex candidates, outside;
  Distance max_upper, max_upper_outside;
};

class CudaBounds final : public EccentricityBounds, public CandidateSets {
 public:
  static constexpr std::size_t kMostSearches = 32;  // whose distances one launch reads
  using DistancesOf = std::function<DistanceView(DistanceHandle)>;
  CudaBounds(const Context& context, const Graph& graph, const GraphView& view,
             DistancesOf distances_of, Traversal& traversal, OffsetSearches& offset_searches,
             Lanes& lanes);
  static std::uint64_t bytes(const Graph& graph, std::size_t concurrent) {
    return std::uint64_t{graph.order()} * (9 + 12 + 8 + 4 * concurrent);
  }

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
  SearchEffect apply_search(DistanceHandle distances, Vertex source, Distance eccentricity,
                            Distance limit, std::span<const DistanceHandle> centers) override;
  std::vector<RefineStep> refine(std::span<const DistanceHandle> distances, Distance limit,
                                 int rounds) override;

  void drop_vertices(std::span<const Vertex> dropped);  // from all sets
  // Carries out a pending reset. A reset is postponed until its result is read, since a search
  // applied next writes all values anyway.
  void apply_pending_reset() const;

  // apply_search in three parts: start, await, outcome; without a search it is choose_ball with
  // half the limit. At most kMostSearches centers. Source and eccentricity are read on the GPU;
  // `cancel`: see CancelFlags.
  void start_round(const SearchRef& latest, RoundLimit limit,
                   std::span<const DistanceHandle> centers, const unsigned* cancel = nullptr);
  // While a reset is pending, start_sweep launches both rounds of a double sweep at once: the ball
  // is that of the first search, and the second starts where the first ended.
  bool is_reset_pending() const { return reset_pending_; }
  void start_sweep(const SearchRef& first, const SearchRef& second,
                   std::span<const DistanceHandle> centers, const LookAhead& look_ahead,
                   AnswerSlot slot);
  void await_round() const { context_.await(last_round_); }
  SearchEffect round_outcome(AnswerSlot slot = AnswerSlot::search);
  // On the GPU, after a sweep: not zero if its look-ahead does not expect a midpoint search.
  const unsigned* cancels_midpoint() const;
  // What the search of the next round is to find, which saves that round a pass: the farthest of
  // the candidates above the eccentricity in `longest`, or above `lower` if that is null.
  CandidateProbe start_probe(const SearchOutcome* longest, Distance lower);

 private:
  void invalidate_counts() { counts_known_ = all_unbounded_ = false, best_outside_.reset(); }
  void set_counts(const SetCounts& counts) {
    invalidate_counts(), counts_ = counts, counts_known_ = true;
  }
  const SetCounts& counts() const;  // counted in one pass, valid until the sets change
  template <class Change>
  void recount(Change change) const;
  void start(ApplySearchJob job, std::span<const DistanceHandle> centers);
  RoundAnswer* answer(AnswerSlot slot = AnswerSlot::search) const;
  std::vector<FarthestDistance> farthest_of_concurrent();
  void drop_around_concurrent(std::span<const FarthestDistance> farthest, Distance limit);
  Vertex order() const { return view_.order; }
  Distance* lower_data() const { return apply_pending_reset(), lower_.data(); }
  Distance* upper_data() const { return apply_pending_reset(), upper_.data(); }
  unsigned char* flags_data() const { return apply_pending_reset(), flags_.data(); }

  const Context& context_;
  const Graph& graph_;
  GraphView view_;
  DistancesOf distances_of_;
  Traversal& traversal_;
  OffsetSearches& offset_searches_;
  Lanes& lanes_;
  mutable Reducer reducer_;
  Buffer<Distance> lower_, upper_;
  Buffer<unsigned char> flags_;       // see Flag
  Buffer<Distance> around_, inside_;  // allocated by the first batch
  struct CliqueDistances {
    std::vector<Vertex> clique;
    Distance radius = 0;
    Buffer<Distance> distances;  // distances to the clique, at most `radius`
  };
  std::array<CliqueDistances, 2> clique_distances_;  // allocated by the first wide ball
  Buffer<RoundControl> round_;      // all zero between requests, except for the last two members
  Buffer<Vertex> list_;             // of candidates
  host::BatchOffsets starts_;       // of the offset searches in around_
  std::vector<Vertex> concurrent_;  // sources whose distances are in …
  Buffer<Distance> concurrent_distances_;  // … this buffer, one search after the other
  Buffer<FarthestDistance> concurrent_farthest_;
  mutable SetCounts counts_{};
  mutable bool counts_known_ = false;
  mutable std::optional<Vertex>
      best_outside_;                    // candidate outside the ball with the largest upper bound
  mutable bool reset_pending_ = false;  // until its result is read
  bool odd_round_ = false;              // which of RoundControl::totals is next
  Signal last_round_;
  CandidateProbe probe_;        // by the search of the next round
  bool all_unbounded_ = false;  // all are candidates, and no upper bound is known
  // The last result of farthest_in. Sets only shrink until a ball is set, so it is valid while the
  // counts are the same.
  mutable FarthestDistance farthest_{};
  mutable std::uint64_t farthest_serial_ = 0;
  mutable Vertex farthest_candidates_ = 0, farthest_outside_ = 0;
};

// What the distances of one search eliminated in a round of refinement.
struct RefineCell {
  Distance farthest, farthest_outside;
  Vertex removed, removed_inside;  // candidates, by either distance
};

// Counts over all blocks of a round.
struct RoundCounts {
  SetCounts census;  // before a ball is set
  unsigned farthest;
  unsigned beyond[CudaBounds::kMostSearches];  // candidates outside the ball around each center …
  Distance upper_beyond[CudaBounds::kMostSearches];  // … and the highest of their upper bounds
};

// Counters of rounds in global memory. All are zero between requests, except for the totals of the
// last round and the last two members.
struct RoundControl {
  static constexpr unsigned kMostRounds = 4;
  RoundCounts totals[2];  // used alternately
  SetCounts census;
  RefineCell cells[kMostRounds][CudaBounds::kMostSearches];
  unsigned outside[kMostRounds];
  unsigned listed;
  SearchOutcome outcome;      // of distances whose search the host names
  unsigned cancels_midpoint;  // of the last round
};

inline const unsigned* CudaBounds::cancels_midpoint() const {
  return &round_.data()->cancels_midpoint;
}

// The answer in pinned memory.
struct RoundAnswer {
  SetCounts census;
  RefineCell cells[RoundControl::kMostRounds][CudaBounds::kMostSearches];
  Distance farthest;
  unsigned rounds;
  Vertex center;  // index of the ball's new center; kNoVertex if the ball has not moved
};

}  // namespace antipode::cuda
