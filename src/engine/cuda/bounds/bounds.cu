#include "engine/cuda/bounds/bounds.hpp"

#include <algorithm>

#include "engine/cuda/batch/lanes.hpp"
#include "engine/cuda/batch/waves.hpp"
#include "engine/cuda/layout/flags.hpp"
#include "engine/cuda/search/grid/traversal.hpp"

namespace antipode::cuda {

namespace {

// What select compares: first, second, degree, then the smaller number. Larger is better; all zero
// is nobody.
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

struct Recounted {
  SetCounts census;
  Rank best;  // outside
};

struct AddedUp {
  __device__ Recounted operator()(const Recounted& x, const Recounted& y) const {
    const SetCounts &a = x.census, &b = y.census;
    return {{a.candidates + b.candidates, a.outside + b.outside, max(a.max_upper, b.max_upper),
             max(a.max_upper_outside, b.max_upper_outside)},
            Larger()(x.best, y.best)};
  }
};

struct Unchanged {
  __device__ unsigned char operator()(Vertex, unsigned char flags) const { return flags; }
};

// Gives a candidate the flags change(v, flags), and counts it.
template <class Change>
struct Recount {
  Change change;
  GraphView view;
  const Distance *lower, *upper;
  unsigned char* flags;

  __device__ Recounted operator()(Vertex v) const {
    const unsigned char before = flags[v];
    if ((before & kCandidate) == 0) return {};
    const unsigned char now = change(v, before);
    if (now != before) flags[v] = now;
    if ((now & kOutside) == 0) return {{1, 0, upper[v], 0}, {}};
    return {{1, 1, upper[v], upper[v]}, rank_of(upper[v], lower[v], view.degree(v), v)};
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
    return {a.max_lower > b.max_lower ? a.max_lower : b.max_lower,
            a.max_upper > b.max_upper ? a.max_upper : b.max_upper,
            a.min_lower < b.min_lower ? a.min_lower : b.min_lower,
            a.min_upper < b.min_upper ? a.min_upper : b.min_upper, 0};
  }
};

}  // namespace

CudaBounds::CudaBounds(const Context& context, const Graph& graph, const GraphView& view,
                       RowOf row_of, Traversal& traversal, Waves& waves, Lanes& lanes)
    : context_(context),
      graph_(graph),
      view_(view),
      row_of_(std::move(row_of)),
      traversal_(traversal),
      waves_(waves),
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
  for (Surroundings& around : around_clique_) around.clique.clear();
  reach_serial_ = 0;
  counts_ = {order(), order(), order(), order()};
  counts_known_ = all_unbounded_ = true;
  best_outside_.reset();
}

void CudaBounds::settle() const {
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
                         Distance reach) {
  for_each(context_, order(),
           [=, row = row_of_(handle).data, lower = lower_data(), upper = upper_data(),
            flags = flags_data()] __device__(std::size_t v) {
             const Distance d = row[v];
             lower[v] = max(lower[v], max(d, eccentricity - d));
             upper[v] = min(upper[v], d + reach);
             if (v == source) flags[v] |= kSearched;
           });
  forget();
}

BoundsSummary CudaBounds::summary() const {
  if (order() == 0) return {};
  BoundsSummary result =
      reducer_.reduce(order(), BoundsSummary{0, 0, kUnreached, kUnreached, 0}, Wider{},
                      [lower = lower_data(), upper = upper_data()] __device__(Vertex v) {
                        return BoundsSummary{lower[v], upper[v], lower[v], upper[v], 0};
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
             bool leaves = l == u;
             if (question == Question::diameter)
               leaves |= u <= all.max_lower && 2 * std::uint64_t{l} >= all.max_upper;
             if (question == Question::radius) leaves |= l >= all.min_upper;
             if (question == Question::center) leaves |= l > all.min_upper;
             if (question == Question::periphery) leaves |= u < all.max_lower;
             if (leaves) flags[v] &= kSearched;
           });
  forget();
  return counts().candidates;
}

Vertex CudaBounds::select(Select rule, DistanceHandle handle) const {
  if (rule == Select::largest_upper && all_unbounded_) return view_.hub;
  if (rule == Select::outside_upper && best_outside_) return *best_outside_;
  const Distance* row =
      rule == Select::farthest || rule == Select::central ? row_of_(handle).data : nullptr;
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
            return rank_of(row[v], 0, degree, v);
          case Select::outside_upper:
            return rank_of(upper[v], lower[v], degree, v);
          case Select::central:
            return rank_of(~(lower[v] + row[v]), ~lower[v], degree, v);
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
  forget();
}

const SetCounts& CudaBounds::counts() const {
  if (counts_known_) return counts_;
  recount(Unchanged{});
  return counts_;
}

template <class Change>
void CudaBounds::recount(Change change) const {
  const Recounted found =
      reducer_.reduce(order(), Recounted{}, AddedUp{},
                      Recount<Change>{change, view_, lower_data(), upper_data(), flags_data()});
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
  const DistanceView row = row_of_(handle);
  if (row.serial != reach_serial_ || counts().candidates != reach_candidates_ ||
      counts().outside != reach_outside_) {
    reach_ = reducer_.reduce(order(), FarthestDistance{0, 0}, Farther{},
                             [row = row.data, flags = flags_data()] __device__(Vertex v) {
                               return FarthestDistance{(flags[v] & kCandidate) != 0 ? row[v] : 0,
                                                       (flags[v] & kOutside) != 0 ? row[v] : 0};
                             });
    reach_serial_ = row.serial;
    reach_candidates_ = counts().candidates;
    reach_outside_ = counts().outside;
  }
  return among == Among::candidates ? reach_.candidates : reach_.outside;
}

void CudaBounds::eliminate(DistanceHandle handle, Among among, Distance farthest, Distance limit) {
  if (among == Among::outside) {
    for_each(context_, order(),
             [=, row = row_of_(handle).data, flags = flags_data()] __device__(std::size_t v) {
               if ((flags[v] & kOutside) == 0 && row[v] + farthest <= limit) flags[v] &= kSearched;
             });
    forget();
    return;
  }
  for_each(context_, order(),
           [=, row = row_of_(handle).data, upper = upper_data(),
            flags = flags_data()] __device__(std::size_t v) {
             if ((flags[v] & kCandidate) != 0) upper[v] = min(upper[v], row[v] + farthest);
           });
  drop(limit);
}

void CudaBounds::drop(Distance limit) {
  for_each(context_, order(),
           [=, upper = upper_data(), flags = flags_data()] __device__(std::size_t v) {
             if (upper[v] <= limit) flags[v] &= kSearched;
           });
  forget();
}

void CudaBounds::set_ball(DistanceHandle handle, Distance radius) {
  recount([=, row = row_of_(handle).data] __device__(Vertex v, unsigned char flags) {
    return row[v] > radius ? flags | kOutside : flags & ~kOutside;
  });
  reach_serial_ = 0;
}

// Everything within `radius` of the clique: one search from all of it, unless it is one of the last
// two asked for. They compete.
void CudaBounds::widen_ball(DistanceHandle, Distance radius, std::span<const Vertex> clique) {
  const auto is_same = [&](const Surroundings& around) {
    return around.radius == radius && std::ranges::equal(around.clique, clique);
  };
  if (!is_same(around_clique_[0])) std::swap(around_clique_[0], around_clique_[1]);
  Surroundings& around = around_clique_[0];
  if (!is_same(around)) {
    around.clique.clear();  // if the search fails it is nobody's
    if (around.row.size() == 0) around.row = Buffer<Distance>(order());
    if (clique.size() <= kMostStarts) {
      traversal_.distances_to_nearest(clique, radius, around.row.data());
    } else {
      waves_.distances_to_nearest(clique, radius, around.row.data());
    }
    around.clique.assign(clique.begin(), clique.end());
    around.radius = radius;
  }
  recount([near = around.row.data()] __device__(Vertex v, unsigned char flags) {
    return near[v] != kUnreached ? flags & ~kOutside : flags;
  });
  reach_serial_ = 0;
}

}  // namespace antipode::cuda
