// Sorted adjacency from unordered edges. Large graphs: arcs are partitioned into buckets of
// neighbouring vertices; each bucket is sorted and deduplicated in cache. Small graphs are filled
// directly.
// Memory: 8 bytes per given edge and 16 per edge in buckets; then 16 and 8 per edge that is kept;
// 12 bytes per vertex.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>

#include "antipode/graph.hpp"
#include "graph/buffer.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

using EdgeLists = std::vector<std::vector<Edge>>;

constexpr std::size_t kBucketArcs = 1 << 17;   // a bucket's arcs and adjacency fit a core's cache
constexpr std::size_t kMostBuckets = 1 << 10;  // streams one thread writes at a time
constexpr std::size_t kCheckInterval =
    1 << 10;  // edges between two checks for an interrupt; each may touch new memory
constexpr std::size_t kNearArcs = std::size_t{1} << 23;  // adjacency that is filled directly

// The lists cut into parts of about equal size, one for each thread. A part is a list of pieces.
std::vector<std::vector<std::span<const Edge>>> parts_of(const EdgeLists& lists,
                                                         std::size_t edges) {
  const std::size_t count = edges > kWorthThreads ? threads() : 1;
  std::vector<std::vector<std::span<const Edge>>> parts(count);
  const std::size_t share = edges / count + 1;
  std::size_t part = 0, room = share;
  for (const auto& list : lists)
    for (std::span<const Edge> rest(list); !rest.empty();) {
      const std::size_t take = std::min({room, rest.size(), kCheckInterval});
      parts[part].push_back(rest.first(take));
      rest = rest.subspan(take);
      room -= take;
      if (room == 0) ++part, room = share;
    }
  return parts;
}

// work(part) for each part, on all threads.
template <class Work>
void for_each_part(std::size_t parts, Work work) {
  in_shares(parts, 1, static_cast<int>(parts), [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t part = begin; part < end; ++part) work(part);
  });
}

// An edge without direction gives two arcs, an edge with direction one.
constexpr std::size_t arcs_each(Direction direction) {
  return direction == Direction::none ? 2 : 1;
}

// Arcs by the bucket of the vertex they leave: bucket b is [starts[b], starts[b + 1]).
struct ArcBuckets {
  unsigned shift;  // bucket of v: v >> shift
  std::vector<std::size_t> starts;
  Buffer<Edge> arcs;
  std::uint64_t loops;
};

// Adjacency in memory that is not cleared before it is written.
struct UnsortedAdjacency {
  Buffer<EdgeOffset> offsets;
  Buffer<Vertex> targets;
};

unsigned bucket_shift(Vertex order, std::size_t arcs) {
  const std::size_t wanted = std::clamp<std::size_t>(arcs / kBucketArcs, 1, kMostBuckets);
  unsigned shift = 0;
  while ((std::size_t{order} >> shift) >= wanted && shift < 32) ++shift;
  return shift;
}

template <Direction kDirection>
ArcBuckets partition_arcs(Vertex order, const EdgeLists& lists, std::size_t edges) {
  const unsigned shift = bucket_shift(order, arcs_each(kDirection) * edges);
  const auto parts = parts_of(lists, edges);
  const std::size_t bucket_count = (std::size_t{order} >> shift) + 1;
  std::vector<std::vector<std::size_t>> cursors(parts.size(),
                                                std::vector<std::size_t>(bucket_count, 0));
  std::uint64_t loops = 0;
  for_each_part(parts.size(), [&](std::size_t p) {
    std::uint64_t mine = 0;
    for (const auto& piece : parts[p]) {
      stop_if_asked();
      for (const Edge e : piece) {
        if (e.from == e.to) {
          ++mine;
          continue;
        }
        ++cursors[p][e.from >> shift];
        if (kDirection == Direction::none) ++cursors[p][e.to >> shift];
      }
    }
    relaxed_add(loops, mine);
  });
  std::vector<std::size_t> starts;
  std::size_t sum = 0;
  for (std::size_t b = 0; b < bucket_count; ++b) {
    starts.push_back(sum);
    for (auto& cursor : cursors) sum += std::exchange(cursor[b], sum);
  }
  starts.push_back(sum);
  Buffer<Edge> arcs(sum);
  for_each_part(parts.size(), [&](std::size_t p) {
    for (const auto& piece : parts[p]) {
      stop_if_asked();
      for (const Edge e : piece) {
        if (e.from == e.to) continue;
        arcs[cursors[p][e.from >> shift]++] = e;
        if (kDirection == Direction::none) arcs[cursors[p][e.to >> shift]++] = {e.to, e.from};
      }
    }
  });
  return {.shift = shift, .starts = std::move(starts), .arcs = std::move(arcs), .loops = loops};
}

// Sorts and deduplicates the adjacencies of [first, last). The first begins at `begin`; each ends
// at its offset, which is set to its beginning. Only the first `distinct[v]` targets are valid
// then. Returns the sum of `distinct`.
EdgeOffset sort_adjacencies(std::size_t first, std::size_t last, EdgeOffset begin,
                            UnsortedAdjacency& adjacency, Buffer<Vertex>& distinct) {
  EdgeOffset sum = 0;
  Vertex* neighbours = adjacency.targets.begin() + begin;
  for (std::size_t v = first; v < last; ++v) {
    Vertex* const end = adjacency.targets.begin() + adjacency.offsets[v];
    Vertex* kept_end = end;
    // Edges that were given in order, without repeats, are in order here.
    if (std::adjacent_find(neighbours, end, std::greater_equal<>()) != end) {
      std::sort(neighbours, end);
      kept_end = std::unique(neighbours, end);
    }
    adjacency.offsets[v] = static_cast<EdgeOffset>(neighbours - adjacency.targets.begin());
    distinct[v] = static_cast<Vertex>(kept_end - neighbours);
    sum += distinct[v];
    neighbours = end;
  }
  return sum;
}

EdgeOffset fill_bucket(const ArcBuckets& buckets, std::size_t bucket, UnsortedAdjacency& adjacency,
                       Buffer<Vertex>& distinct) {
  const std::size_t begin = buckets.starts[bucket], end = buckets.starts[bucket + 1];
  const std::size_t first = bucket << buckets.shift,
                    last = std::min(distinct.size(), (bucket + 1) << buckets.shift);
  EdgeOffset* next = adjacency.offsets.begin();  // where the next target of each vertex is written
  std::fill(next + first, next + last, 0);
  for (std::size_t i = begin; i < end; ++i) ++next[buckets.arcs[i].from];
  EdgeOffset at = begin;
  for (std::size_t v = first; v < last; ++v) at += std::exchange(next[v], at);
  for (std::size_t i = begin; i < end; ++i)
    adjacency.targets[next[buckets.arcs[i].from]++] = buckets.arcs[i].to;
  return sort_adjacencies(first, last, begin, adjacency, distinct);
}

// Adjacency with gaps where repeats were; the number of distinct targets of each vertex and in all;
// the number of loops left out.
struct GappedAdjacency {
  UnsortedAdjacency adjacency;
  Buffer<Vertex> distinct;
  EdgeOffset kept = 0;
  std::uint64_t loops = 0;
};

template <Direction kDirection>
GappedAdjacency fill_by_buckets(Vertex order, const EdgeLists& edges, std::size_t given,
                                const std::function<void()>& free_edges) {
  const ArcBuckets arcs = partition_arcs<kDirection>(order, edges, given);
  free_edges();
  GappedAdjacency result{.adjacency = {.offsets = Buffer<EdgeOffset>(std::size_t{order} + 1),
                                       .targets = Buffer<Vertex>(arcs.arcs.size())},
                         .distinct = Buffer<Vertex>(order),
                         .loops = arcs.loops};
  const std::size_t buckets = arcs.starts.size() - 1;
  EdgeOffset kept = 0;
  in_pieces(buckets, 1, threads_for(given), [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b)
      relaxed_add(kept, fill_bucket(arcs, b, result.adjacency, result.distinct));
  });
  result.kept = kept;
  return result;
}

// Fills the adjacency directly. Each part of the edges has its own place in every adjacency:
// `places[part][v]` is first a count, then where its next target goes.
template <Direction kDirection>
class DirectFill {
 public:
  DirectFill(Vertex order, const EdgeLists& edges, std::size_t given)
      : order_(order),
        parts_(parts_of(edges, given)),
        count_(parts_.size()),
        starts_(count_ + 1, 0),
        result_{.adjacency = {.offsets = Buffer<EdgeOffset>(std::size_t{order} + 1),
                              .targets = Buffer<Vertex>(arcs_each(kDirection) * given)},
                .distinct = Buffer<Vertex>(order)} {
    for (std::size_t p = 0; p < count_; ++p) places_.emplace_back(order);
  }

  GappedAdjacency run() {
    count_arcs();
    set_offsets();
    fill();
    sort();
    return std::move(result_);
  }

 private:
  // Each part also has a range of vertices, [first_of(part), first_of(part + 1)).
  std::size_t first_of(std::size_t part) const { return std::size_t{order_} * part / count_; }

  void count_arcs() {
    std::uint64_t loops = 0;
    for_each_part(count_, [&](std::size_t part) {
      std::uint32_t* const mine = places_[part].begin();
      std::fill(mine, mine + order_, 0);
      std::uint64_t loops_here = 0;
      for (const auto& list : parts_[part])
        for (const Edge e : list) {
          loops_here += e.from == e.to;
          mine[e.from] += e.from != e.to;
          if (kDirection == Direction::none) mine[e.to] += e.from != e.to;
        }
      relaxed_add(loops, loops_here);
    });
    result_.loops = loops;
  }

  void set_offsets() {
    for_each_part(count_, [&](std::size_t part) {
      const std::size_t first = first_of(part), last = first_of(part + 1);
      for (const auto& place : places_)
        starts_[part + 1] =
            std::accumulate(place.begin() + first, place.begin() + last, starts_[part + 1]);
    });
    for (std::size_t p = 0; p < count_; ++p) starts_[p + 1] += starts_[p];
    for_each_part(count_, [&](std::size_t part) {
      const std::size_t first = first_of(part), last = first_of(part + 1);
      auto at = static_cast<std::uint32_t>(starts_[part]);
      for (std::size_t v = first; v < last; ++v) {
        for (std::size_t p = 0; p < count_; ++p) at += std::exchange(places_[p][v], at);
        result_.adjacency.offsets[v] = at;
      }
    });
  }

  void fill() {
    for_each_part(count_, [&](std::size_t part) {
      std::uint32_t* const mine = places_[part].begin();
      for (const auto& list : parts_[part])
        for (const Edge e : list) {
          if (e.from == e.to) continue;
          result_.adjacency.targets[mine[e.from]++] = e.to;
          if (kDirection == Direction::none) result_.adjacency.targets[mine[e.to]++] = e.from;
        }
    });
  }

  void sort() {
    EdgeOffset kept = 0;
    for_each_part(count_, [&](std::size_t part) {
      relaxed_add(kept, sort_adjacencies(first_of(part), first_of(part + 1), starts_[part],
                                         result_.adjacency, result_.distinct));
    });
    result_.kept = kept;
  }

  Vertex order_;
  std::vector<std::vector<std::span<const Edge>>> parts_;
  std::size_t count_;  // of parts
  std::vector<Buffer<std::uint32_t>> places_;
  std::vector<EdgeOffset> starts_;  // arcs before the vertices of each part
  GappedAdjacency result_;
};

// Closes the gaps that repeats left.
UnsortedAdjacency close_gaps(const UnsortedAdjacency& adjacency, const Buffer<Vertex>& distinct) {
  std::vector<EdgeOffset> offsets(distinct.begin(), distinct.end());
  offsets.push_back(0);
  UnsortedAdjacency result{Buffer<EdgeOffset>(offsets.size()),
                           Buffer<Vertex>(exclusive_sum(offsets, threads_for(offsets.size())))};
  result.offsets[distinct.size()] = offsets.back();
  in_shares(distinct.size(), 4096, threads_for(result.targets.size()),
            [&](std::size_t first, std::size_t last, int) {
              for (std::size_t v = first; v < last; ++v) {
                result.offsets[v] = offsets[v];
                std::copy_n(adjacency.targets.begin() + adjacency.offsets[v], distinct[v],
                            result.targets.begin() + offsets[v]);
              }
            });
  return result;
}

// The adjacency of the arcs as given; without direction also of the reversed arcs.
template <Direction kDirection>
BuiltGraph build(Vertex order, const EdgeLists& edges, std::size_t given, const Labels& labels,
                 const std::function<void()>& free_edges) {
  const std::size_t most = arcs_each(kDirection) * given;
  const bool near = most <= kNearArcs && std::size_t{order} * threads() <= most;
  GappedAdjacency filled = near ? DirectFill<kDirection>(order, edges, given).run()
                                : fill_by_buckets<kDirection>(order, edges, given, free_edges);
  const EdgeOffset arcs = arcs_each(kDirection) * (given - filled.loops);
  filled.adjacency.offsets[order] = arcs;
  const auto adjacency = std::make_shared<UnsortedAdjacency>(
      filled.kept < arcs ? close_gaps(filled.adjacency, filled.distinct)
                         : std::move(filled.adjacency));
  const std::span<const EdgeOffset> offsets(adjacency->offsets.begin(), adjacency->offsets.size());
  const std::span<const Vertex> targets(adjacency->targets.begin(), filled.kept);
  return {.graph = Graph(adjacency, offsets, targets, labels),
          .loops = filled.loops,
          .repeats = (arcs - filled.kept) / arcs_each(kDirection)};
}

void reverse(EdgeLists& lists) {
  for (auto& list : lists) {
    stop_if_asked();
    for (Edge& e : list) std::swap(e.from, e.to);
  }
}

}  // namespace

BuiltGraph build_graph(Vertex order, EdgeLists edges, Labels labels, Direction direction) {
  std::size_t given = 0;
  for (const auto& list : edges) given += list.size();
  refuse_beyond_memory(direction == Direction::none ? order : 2 * std::uint64_t{order},
                       direction == Direction::none ? given : 2 * given);
  tell_loading({.phase = "building", .edges = given});
  const auto free_edges = [&] { edges = {}; };
  if (direction == Direction::none)
    return build<Direction::none>(order, edges, given, labels, free_edges);
  BuiltGraph result = build<Direction::forward>(order, edges, given, labels, [] {});
  reverse(edges);
  result.graph = result.graph.with_entering_arcs(
      build<Direction::forward>(order, edges, given, labels, free_edges).graph);
  return result;
}

}  // namespace antipode
