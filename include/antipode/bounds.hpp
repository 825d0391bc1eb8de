// State that an engine keeps besides distances: bounds of all eccentricities, and the sets of
// candidates that the diameter eliminates. It lives on the engine, because copying the distances of
// a search to the host would cost more than the search. Measures decide which fact follows from
// which search (proofs: docs/definitions.md). Both need a connected undirected graph, since an
// unreached vertex has no bounds. Host defaults: src/engine/host.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode {

// Distances of one search, held by the engine. kLatest: those of the latest search, valid until the
// next one.
enum class DistanceHandle : std::uint32_t {};
inline constexpr DistanceHandle kLatest{0};

// The question decides which vertices are still candidates.
enum class Question { diameter, radius, center, periphery, eccentricity };

// Rules for the next source. Ties go to the higher degree, then to the smaller number.
enum class Select {
  largest_upper,       // the candidate with the largest upper bound
  smallest_lower,      // the candidate with the smallest lower bound
  largest_difference,  // the candidate whose bounds differ most
  farthest,            // the candidate farthest from the source of the given distances
  outside_upper,       // outside the ball: largest upper bound, then largest lower bound
  central              // of all vertices not searched: least sum of lower bound and given distance
};

struct BoundsSummary {
  Distance max_lower = 0, max_upper = 0, min_lower = 0, min_upper = 0;  // over all vertices
  Vertex candidates = 0;
};

// The eccentricity of a source, and the lower bound known before it was searched.
struct SourceOutcome {
  Distance eccentricity = 0, lower_before = 0;
};

// A lower and an upper bound of every eccentricity, and the candidates that may change the answer.
class EccentricityBounds {
 public:
  virtual ~EccentricityBounds() = default;

  virtual void reset() = 0;  // lower 0, upper the order, all vertices candidates, no ball
  // From a search with eccentricity e: lower >= max(d, e - d) and upper <= d + farthest. If
  // `farthest` is e, both bound the eccentricity. If it is the largest distance to a candidate,
  // `upper` bounds distances to candidates.
  virtual void tighten(DistanceHandle distances, Vertex source, Distance eccentricity,
                       Distance farthest) = 0;
  // As tighten for each of the sources and its eccentricity, with many searches at once.
  virtual std::vector<SourceOutcome> tighten_from(std::span<const Vertex> sources) = 0;
  virtual BoundsSummary summary() const = 0;
  // Drops candidates that cannot change the answer. Returns the number that remain.
  virtual Vertex prune(Question question) = 0;
  virtual Vertex select(Select rule, DistanceHandle distances) const = 0;  // kNoVertex: none
  // The first `most` candidates without a neighbour of smaller lower bound. If lower bounds are
  // exact, only searches from such vertices are needed (docs/definitions.md, "All eccentricities").
  virtual std::vector<Vertex> lowest(std::size_t most) const = 0;
  virtual void copy(std::span<Distance> lower, std::span<Distance> upper) const = 0;
  // Sets the state after reset and the searches that gave these bounds.
  virtual void restore(std::span<const Distance> lower, std::span<const Distance> upper) = 0;
};

enum class Among { candidates, outside };  // outside: candidates that are not in the ball

struct Census {
  Vertex candidates = 0, outside = 0;
  Distance max_upper = 0, max_upper_outside = 0;  // largest upper bounds; 0: empty set
};

// The largest distances from a source to a candidate and to one outside the ball; 0: none.
struct FarthestDistance {
  Distance candidates = 0, outside = 0;
};

// Distances that eliminated candidates, and their largest distance to a vertex of the set.
struct RefineStep {
  std::size_t index = 0;  // in the list of handles
  Among among = Among::candidates;
  Distance farthest = 0;
};

// The result of CandidateSets::apply_search.
struct SearchEffect {
  Distance farthest = 0;              // distance to the farthest candidate
  std::optional<std::size_t> center;  // index of the ball's new center; none: it has not moved
  Vertex outside = 0;                 // candidates that remain outside the ball
};

// Candidates may be an end of a path longer than the longest known. The ball contains at most one
// end of such a path. Elimination shrinks the sets (docs/definitions.md, "Why it is exact").
class CandidateSets {
 public:
  virtual ~CandidateSets() = default;

  virtual void reset() = 0;  // as EccentricityBounds::reset
  virtual Census census() const = 0;
  virtual bool contains(Vertex candidate) const = 0;
  virtual Vertex select(Select rule, DistanceHandle distances) const = 0;
  // At most `most` vertices of the set, drawn without repeats; the same seed, the same vertices.
  virtual std::vector<Vertex> sample(Among among, std::size_t most, std::uint64_t seed) const = 0;

  virtual Distance farthest_in(Among among, DistanceHandle distances) const = 0;  // 0: empty set
  virtual void tighten(DistanceHandle distances, Vertex source, Distance eccentricity,
                       Distance farthest) = 0;  // as EccentricityBounds::tighten
  // Lowers upper bounds of candidates to d + farthest, and drops those at most `limit`. With
  // Among::outside: of candidates in the ball only, and bounds are not kept.
  virtual void eliminate(DistanceHandle distances, Among among, Distance farthest,
                         Distance limit) = 0;
  virtual void drop(Distance limit) = 0;  // candidates whose upper bound is at most this
  // Drops all vertices of pendant paths except leaves, and the vertices to which these paths are
  // attached.
  virtual void drop_pendant_paths() = 0;
  virtual void drop_twins() = 0;  // of candidates with the same neighbours, all but the first

  virtual void set_ball(DistanceHandle center, Distance radius) = 0;
  // Adds the vertices within `radius` of the clique around the center.
  virtual void widen_ball(DistanceHandle center, Distance radius,
                          std::span<const Vertex> clique) = 0;
  // Sets the ball around the center that leaves fewest candidates outside; on ties the first.
  // Returns its index.
  virtual std::size_t choose_ball(std::span<const DistanceHandle> centers, Distance radius);

  // A batch: searches of which only the farthest distances are kept. Lower bounds, at least those
  // of candidates, rise to the distances found.
  virtual std::vector<FarthestDistance> farthest_from(std::span<const Vertex> sources) = 0;
  // As eliminate for each of the sources and its farthest distances, by one offset search: each
  // source starts at the level of its farthest distance.
  virtual void eliminate_around(std::span<const Vertex> sources,
                                std::span<const FarthestDistance> farthest, Distance limit) = 0;

  // Applies a search: drop, farthest_in, tighten, drop. Then, if candidates are outside the ball,
  // choose_ball with half the limit.
  virtual SearchEffect apply_search(DistanceHandle distances, Vertex source, Distance eccentricity,
                                    Distance limit, std::span<const DistanceHandle> centers);
  // For all distances: eliminate among candidates, then outside the ball. Repeats at most `rounds`
  // times, while that eliminates candidates and some are outside. Returns the effective steps.
  virtual std::vector<RefineStep> refine(std::span<const DistanceHandle> distances, Distance limit,
                                         int rounds);
};

}  // namespace antipode
