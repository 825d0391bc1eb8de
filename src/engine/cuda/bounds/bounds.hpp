// Eccentricity bounds and candidate sets of all vertices, resident on the GPU beside the rows;
// Algorithm 2 of Dal, Kosters and Takes is `tighten` and `prune`. Every request is a kernel or two
// over all vertices, and what comes back is a number. Memory: 9 bytes a vertex, 12 more for
// batches, 8 for balls around cliques, 4 for every search that goes abreast of others.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "engine/cuda/device/reduce.hpp"
#include "engine/cuda/layout/device_graph.hpp"
#include "engine/cuda/layout/search_result.hpp"
#include "engine/host/wave_starts.hpp"

namespace antipode::cuda {

class Lanes;
class Traversal;
class Waves;

// Nobody knows of a longer path than this; nor than the eccentricity, if that is larger, and
// counts.
struct RoundLimit {
  Distance value;
  bool or_eccentricity;
};

// A search, which may not have been done yet; none.
struct Searched {
  const Distance* row = nullptr;
  const SearchOutcome* ends = nullptr;
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
  static constexpr std::size_t kMostRows = 32;  // that one launch looks at
  using RowOf = std::function<DistanceView(DistanceHandle)>;
  CudaBounds(const Context& context, const Graph& graph, const GraphView& view, RowOf row_of,
             Traversal& traversal, Waves& waves, Lanes& lanes);
  static std::uint64_t bytes(const Graph& graph, std::size_t abreast) {
    return std::uint64_t{graph.order()} * (9 + 12 + 8 + 4 * abreast);
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

  void drop_all(std::span<const Vertex> leaving);  // from all sets
  // Carries out a pending reset. It is put off until its result is read, so that a search may be
  // started before it.
  void settle() const;

  // apply_search, or where there is no search choose_ball with half the limit, in three parts: its
  // outcome is there when it, and with it everything before, was waited for. At most kMostRows
  // centers; source and eccentricity are on the GPU, and so is whether it is wanted at all.
  void start_round(const Searched& latest, RoundLimit limit,
                   std::span<const DistanceHandle> centers, const unsigned* cancel = nullptr);
  // Two such rounds at once, with what the outcome of the second is, where nothing is known yet:
  // the first has its ball, and the second begins where the first ended.
  bool is_reset_pending() const { return reset_pending_; }
  void start_sweep(const Searched& first, const Searched& second,
                   std::span<const DistanceHandle> centers, const LookAhead& plan, AnswerSlot slot);
  void await_round() const { context_.await(last_round_); }
  SearchEffect round_outcome(AnswerSlot slot = AnswerSlot::search);
  const unsigned* cancels_midpoint()
      const;  // on the GPU, after a sweep: its plan does not expect the middle to be asked for
  // Whom the search of the next round is to watch, which saves the round time: candidates above the
  // eccentricity of the ends, or where there are none a bound.
  CandidateProbe watch(const SearchOutcome* longest, Distance lower);

 private:
  void forget() { counts_known_ = all_unbounded_ = false, best_outside_.reset(); }
  void know(const SetCounts& counts) { forget(), counts_ = counts, counts_known_ = true; }
  const SetCounts& counts() const;  // found in one pass, and remembered until the sets change
  template <class Change>
  void recount(Change change) const;
  void start(ApplySearchJob job, std::span<const DistanceHandle> centers);
  RoundAnswer* answer(AnswerSlot slot = AnswerSlot::search) const;
  std::vector<FarthestDistance> reach_of_rows();
  void drop_around_rows(std::span<const FarthestDistance> reaches, Distance limit);
  Vertex order() const { return view_.order; }
  Distance* lower_data() const { return settle(), lower_.data(); }
  Distance* upper_data() const { return settle(), upper_.data(); }
  unsigned char* flags_data() const { return settle(), flags_.data(); }

  const Context& context_;
  const Graph& graph_;
  GraphView view_;
  RowOf row_of_;
  Traversal& traversal_;
  Waves& waves_;
  Lanes& lanes_;
  mutable Reducer reducer_;
  Buffer<Distance> lower_, upper_;
  Buffer<unsigned char> flags_;       // Flag below
  Buffer<Distance> around_, inside_;  // made when a batch wants them
  struct Surroundings {
    std::vector<Vertex> clique;
    Distance radius = 0;
    Buffer<Distance> row;  // distances to it as far as that
  };
  std::array<Surroundings, 2> around_clique_;  // made when wider balls want them
  Buffer<RoundControl> round_;                 // all zero between requests, but for the last two
  Buffer<Vertex> list_;                        // of candidates
  host::BatchStarts starts_;                   // whose waves are in around_
  std::vector<Vertex> concurrent_;             // sources of the last batch, if their rows are here:
  Buffer<Distance> concurrent_distances_;      // one after the other
  Buffer<FarthestDistance> concurrent_farthest_;
  mutable SetCounts counts_{};
  mutable bool counts_known_ = false;
  mutable std::optional<Vertex> best_outside_;  // by its upper bound, if that is known
  mutable bool reset_pending_ = false;          // until its result is read
  bool odd_round_ = false;                      // whose meeting is next
  Signal last_round_;
  CandidateProbe probe_;        // by the search of the next round
  bool all_unbounded_ = false;  // all are candidates, and no upper bound is known
  // The reach of the row asked about last. Sets only shrink until a ball is set, so it holds while
  // the counts are the same.
  mutable FarthestDistance reach_{};
  mutable std::uint64_t reach_serial_ = 0;
  mutable Vertex reach_candidates_ = 0, reach_outside_ = 0;
};

// What a row did in a round of refinement.
struct RefineCell {
  Distance reach, reach_outside;
  Vertex gone, gone_inside;  // candidates that left by the one and by the other
};

// What the blocks have counted after a search.
struct RoundCounts {
  SetCounts census;  // before a ball is set
  unsigned reach;
  unsigned beyond[CudaBounds::kMostRows];  // candidates outside the ball around each center …
  Distance upper_beyond[CudaBounds::kMostRows];  // … and the highest of their upper bounds
};

// Where the blocks of a round meet, all zero before, but for the last two, and the meeting that is
// over.
struct RoundControl {
  static constexpr unsigned kMostRounds = 4;
  RoundCounts meetings[2];  // of rounds in turn
  SetCounts census;
  RefineCell cells[kMostRounds][CudaBounds::kMostRows];
  unsigned outside[kMostRounds];
  unsigned listed;
  SearchOutcome ends;         // of a row that the host says it of
  unsigned cancels_midpoint;  // of the last round
};

inline const unsigned* CudaBounds::cancels_midpoint() const {
  return &round_.data()->cancels_midpoint;
}

// What comes back to the host.
struct RoundAnswer {
  SetCounts census;
  RefineCell cells[RoundControl::kMostRounds][CudaBounds::kMostRows];
  Distance reach;
  unsigned rounds;
  Vertex center;  // of the ball, by its place in the list; none if it has not moved
};

}  // namespace antipode::cuda
