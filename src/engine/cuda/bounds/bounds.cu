// Bounds and candidate sets on the GPU: the requests that one pass over the vertices answers. Each
// is a kernel or a reduction (device/reduce.hpp); only numbers come back.
#include "engine/cuda/bounds/bounds.hpp"

#include <algorithm>

#include "engine/cuda/batch/lanes.hpp"
#include "engine/cuda/batch/offset_searches.hpp"
#include "engine/cuda/layout/flags.hpp"
#include "engine/cuda/search/grid/traversal.hpp"

namespace antipode::cuda {

namespace {

// Key by which select compares vertices: rule first, then degree, then the smaller number. Larger
// is better; 0 means no vertex.
struct Rank {
  std::uint64_t high = 0, low = 0;
  Vertex vertex() const {
    return high == 0 && low == 0 ? kNoVertex : kNoVertex - static_cast<Vertex>(low);
  }
};

__device__ Rank rank_of(std::uint32_t first, std::uint32_t second, Vertex degree, Vertex v) {
  return {std::uint64_t{first} << 32 | second, std::uint64_t{degree} << 32 | (kNoVertex - v)};
}

struct Larger {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
  __host__ __device__ Rank operator()(const Rank& a, const Rank& b) const {
    return a.high < b.high || (a.high == b.high && a.low < b.low) ? b : a;
  }
};

struct SetSummary {
  SetCounts census;
  Rank best;  // best vertex outside the ball
};

struct Combine {
  __device__ SetSummary operator()(const SetSummary& x, const SetSummary& y) const {
    const SetCounts &a = x.census, &b = y.census;
    return {{.candidates = a.candidates + b.candidates,
             .outside = a.outside + b.outside,
             .max_upper = max(a.max_upper, b.max_upper),
             .max_upper_outside = max(a.max_upper_outside, b.max_upper_outside)},
            Larger()(x.best, y.best)};
  }
};

struct SameFlags {
  __device__ unsigned char operator()(Vertex, unsigned char flags) const { return flags; }
};

// Gives a candidate the flags change(v, flags), and counts it.
template <class Change>
struct Recount {
  Change change;
  GraphView view;
  const Distance *lower, *upper;
  unsigned char* flags;

  __device__ SetSummary operator()(Vertex v) const {
    const unsigned char before = flags[v];
    if ((before & kCandidate) == 0) return {};
    const unsigned char now = change(v, before);
    if (now != before) flags[v] = now;
    if ((now & kOutside) == 0)
      return {{.candidates = 1, .outside = 0, .max_upper = upper[v], .max_upper_outside = 0}, {}};
    return {{.candidates = 1, .outside = 1, .max_upper = upper[v], .max_upper_outside = upper[v]},
            rank_of(upper[v], lower[v], view.degree(v), v)};
  }
};

struct Farther {
  __host__ __device__ FarthestDistance operator()(const FarthestDistance& a,
                                                  const FarthestDistance& b) const {
    return {a.candidates > b.candidates ? a.candidates : b.candidates,
            a.outside > b.outside ? a.outside : b.outside};
  }
};

struct Wider {
  __host__ __device__ BoundsSummary operator()(const BoundsSummary& a,
                                               const BoundsSummary& b) const {
    return {.max_lower = a.max_lower > b.max_lower ? a.max_lower : b.max_lower,
            .max_upper = a.max_upper > b.max_upper ? a.max_upper : b.max_upper,
            .min_lower = a.min_lower < b.min_lower ? a.min_lower : b.min_lower,
            .min_upper = a.min_upper < b.min_upper ? a.min_upper : b.min_upper,
            .candidates = 0};
  }
};

}  // namespace

CudaBounds::CudaBounds(const Context& context, const Graph& graph, const GraphView& view,
                       DistancesOf distances_of, Traversal& traversal,
                       OffsetSearches& offset_searches, Lanes& lanes)
    : context_(context),
      graph_(graph),
      view_(view),
      distances_of_(std::move(distances_of)),
      traversal_(traversal),
      offset_searches_(offset_searches),
      lanes_(lanes),
      reducer_(context),
      lower_(view.order),
      upper_(view.order),
      flags_(view.order),
      round_(1) {
  context.fill_bytes(round_.data(), 0, 1);
  reset();
}

void CudaBounds::reset() {
  reset_pending_ = true;
  probe_ = {};
  starts_.clear();
  for (CliqueDistances& near_clique : clique_distances_) near_clique.clique.clear();
  farthest_serial_ = 0;
  counts_ = {.candidates = order(),
             .outside = order(),
             .max_upper = order(),
             .max_upper_outside = order()};
  counts_known_ = all_unbounded_ = true;
  best_outside_.reset();
}

void CudaBounds::apply_pending_reset() const {
  if (!reset_pending_) return;
  reset_pending_ = false;
  for_each(context_, order(),
           [lower = lower_.data(), upper = upper_.data(), flags = flags_.data(),
            order = order()] __device__(std::size_t v) {
             lower[v] = 0;
             upper[v] = order;
             flags[v] = kCandidate | kOutside;
           });
}

void CudaBounds::tighten(DistanceHandle handle, Vertex source, Distance eccentricity,
                         Distance farthest) {
  for_each(context_, order(),
           [=, distances = distances_of_(handle).data, lower = lower_data(), upper = upper_data(),
            flags = flags_data()] __device__(std::size_t v) {
             const Distance d = distances[v];
             lower[v] = max(lower[v], max(d, eccentricity - d));
             upper[v] = min(upper[v], d + farthest);
             if (v == source) flags[v] |= kSearched;
           });
  invalidate_counts();
}

BoundsSummary CudaBounds::summary() const {
  if (order() == 0) return {};
  BoundsSummary result =
      reducer_.reduce(order(),
                      BoundsSummary{.max_lower = 0,
                                    .max_upper = 0,
                                    .min_lower = kUnreached,
                                    .min_upper = kUnreached,
                                    .candidates = 0},
                      Wider{}, [lower = lower_data(), upper = upper_data()] __device__(Vertex v) {
                        return BoundsSummary{.max_lower = lower[v],
                                             .max_upper = upper[v],
                                             .min_lower = lower[v],
                                             .min_upper = upper[v],
                                             .candidates = 0};
                      });
  result.candidates = counts().candidates;
  return result;
}

Vertex CudaBounds::prune(Question question) {
  const BoundsSummary all = summary();
  for_each(context_, order(),
           [=, lower = lower_data(), upper = upper_data(),
            flags = flags_data()] __device__(std::size_t v) {
             const Distance l = lower[v], u = upper[v];
             bool is_dropped = l == u;
             if (question == Question::diameter)
               is_dropped |= u <= all.max_lower && 2 * std::uint64_t{l} >= all.max_upper;
             if (question == Question::radius) is_dropped |= l >= all.min_upper;
             if (question == Question::center) is_dropped |= l > all.min_upper;
             if (question == Question::periphery) is_dropped |= u < all.max_lower;
             if (is_dropped) flags[v] &= kSearched;
           });
  invalidate_counts();
  return counts().candidates;
}

Vertex CudaBounds::select(Select rule, DistanceHandle handle) const {
  if (rule == Select::largest_upper && all_unbounded_) return view_.hub;
  if (rule == Select::outside_upper && best_outside_) return *best_outside_;
  const Distance* distances =
      rule == Select::farthest || rule == Select::central ? distances_of_(handle).data : nullptr;
  const Rank best = reducer_.reduce(
      order(), Rank{0, 0}, Larger{},
      [=, view = view_, lower = lower_data(), upper = upper_data(),
       flags = flags_data()] __device__(Vertex v) -> Rank {
        const std::uint32_t degree = view.degree(v);
        const bool eligible =
            rule == Select::central
                ? (flags[v] & kSearched) == 0
                : (flags[v] & (rule == Select::outside_upper ? kOutside : kCandidate)) != 0;
        if (!eligible) return {0, 0};
        switch (rule) {
          case Select::largest_upper:
            return rank_of(upper[v], 0, degree, v);
          case Select::smallest_lower:
            return rank_of(~lower[v], 0, degree, v);
          case Select::largest_difference:
            return rank_of(upper[v] - lower[v], 0, degree, v);
          case Select::farthest:
            return rank_of(distances[v], 0, degree, v);
          case Select::outside_upper:
            return rank_of(upper[v], lower[v], degree, v);
          case Select::central:
            return rank_of(~(lower[v] + distances[v]), ~lower[v], degree, v);
        }
        return {0, 0};
      });
  return best.vertex();
}

void CudaBounds::copy(std::span<Distance> lower, std::span<Distance> upper) const {
  context_.download(lower, lower_data());
  context_.download(upper, upper_data());
}

void CudaBounds::restore(std::span<const Distance> lower, std::span<const Distance> upper) {
  reset();
  context_.upload(lower_data(), lower);
  context_.upload(upper_data(), upper);
  context_.finish();
  invalidate_counts();
}

const SetCounts& CudaBounds::counts() const {
  if (counts_known_) return counts_;
  recount(SameFlags{});
  return counts_;
}

template <class Change>
void CudaBounds::recount(Change change) const {
  const SetSummary found = reducer_.reduce(order(), SetSummary{}, Combine{},
                                           Recount<Change>{.change = change,
                                                           .view = view_,
                                                           .lower = lower_data(),
                                                           .upper = upper_data(),
                                                           .flags = flags_data()});
  counts_ = found.census;
  counts_known_ = true;
  best_outside_ = found.best.vertex();
}

Census CudaBounds::census() const {
  return {.candidates = counts().candidates,
          .outside = counts().outside,
          .max_upper = counts().max_upper,
          .max_upper_outside = counts().max_upper_outside};
}

bool CudaBounds::contains(Vertex candidate) const {
  return (context_.value(flags_data() + candidate) & kCandidate) != 0;
}

Distance CudaBounds::farthest_in(Among among, DistanceHandle handle) const {
  const DistanceView distances = distances_of_(handle);
  if (distances.serial != farthest_serial_ || counts().candidates != farthest_candidates_ ||
      counts().outside != farthest_outside_) {
    farthest_ =
        reducer_.reduce(order(), FarthestDistance{0, 0}, Farther{},
                        [distances = distances.data, flags = flags_data()] __device__(Vertex v) {
                          return FarthestDistance{(flags[v] & kCandidate) != 0 ? distances[v] : 0,
                                                  (flags[v] & kOutside) != 0 ? distances[v] : 0};
                        });
    farthest_serial_ = distances.serial;
    farthest_candidates_ = counts().candidates;
    farthest_outside_ = counts().outside;
  }
  return among == Among::candidates ? farthest_.candidates : farthest_.outside;
}

void CudaBounds::eliminate(DistanceHandle handle, Among among, Distance farthest, Distance limit) {
  if (among == Among::outside) {
    for_each(context_, order(),
             [=, distances = distances_of_(handle).data,
              flags = flags_data()] __device__(std::size_t v) {
               if ((flags[v] & kOutside) == 0 && distances[v] + farthest <= limit)
                 flags[v] &= kSearched;
             });
    invalidate_counts();
    return;
  }
  for_each(context_, order(),
           [=, distances = distances_of_(handle).data, upper = upper_data(),
            flags = flags_data()] __device__(std::size_t v) {
             if ((flags[v] & kCandidate) != 0) upper[v] = min(upper[v], distances[v] + farthest);
           });
  drop(limit);
}

void CudaBounds::drop(Distance limit) {
  for_each(context_, order(),
           [=, upper = upper_data(), flags = flags_data()] __device__(std::size_t v) {
             if (upper[v] <= limit) flags[v] &= kSearched;
           });
  invalidate_counts();
}

void CudaBounds::set_ball(DistanceHandle handle, Distance radius) {
  recount([=, distances = distances_of_(handle).data] __device__(Vertex v, unsigned char flags) {
    return distances[v] > radius ? flags | kOutside : flags & ~kOutside;
  });
  farthest_serial_ = 0;
}

// One search from all vertices of the clique. The last two results are kept, since the strategy
// compares two balls.
void CudaBounds::widen_ball(DistanceHandle, Distance radius, std::span<const Vertex> clique) {
  const auto is_same = [&](const CliqueDistances& near_clique) {
    return near_clique.radius == radius && std::ranges::equal(near_clique.clique, clique);
  };
  if (!is_same(clique_distances_[0])) std::swap(clique_distances_[0], clique_distances_[1]);
  CliqueDistances& near_clique = clique_distances_[0];
  if (!is_same(near_clique)) {
    near_clique.clique.clear();  // an interrupted search leaves no valid distances
    if (near_clique.distances.size() == 0) near_clique.distances = Buffer<Distance>(order());
    if (clique.size() <= kMostStarts) {
      traversal_.distances_to_nearest(clique, radius, near_clique.distances.data());
    } else {
      offset_searches_.distances_to_nearest(clique, radius, near_clique.distances.data());
    }
    near_clique.clique.assign(clique.begin(), clique.end());
    near_clique.radius = radius;
  }
  recount([to_clique = near_clique.distances.data()] __device__(Vertex v, unsigned char flags) {
    return to_clique[v] != kUnreached ? flags & ~kOutside : flags;
  });
  farthest_serial_ = 0;
}

}  // namespace antipode::cuda
