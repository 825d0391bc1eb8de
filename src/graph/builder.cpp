// From edges in any order to sorted rows. Both directions of every edge are first dealt into buckets of neighbouring
// vertices, in streams; then each bucket is placed, sorted and freed of repeats while it lies in the cache. Random access to all of
// memory, one cache line for every direction, is what this avoids.
// Memory: 8 bytes an edge given and 16 dealt, then 16 and 8 an edge kept; 16 bytes a vertex.
#include <algorithm>
#include <utility>

#include "antipode/graph.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode {

namespace {

using EdgeLists = std::vector<std::vector<Edge>>;

constexpr std::size_t kBucketArcs = 1 << 17;   // a bucket's arcs and rows fit a core's cache
constexpr std::size_t kMostBuckets = 1 << 10;  // streams one thread writes at a time

// The lists cut into parts of about equal size, one for each thread; a part is a few stretches of lists.
std::vector<std::vector<std::span<const Edge>>> parts_of(const EdgeLists& lists, std::size_t edges) {
  const std::size_t count = edges > kWorthThreads ? threads() : 1;
  std::vector<std::vector<std::span<const Edge>>> parts(count);
  const std::size_t share = edges / count + 1;
  std::size_t part = 0, room = share;
  for (const auto& list : lists)
    for (std::span<const Edge> rest(list); !rest.empty();) {
      const std::size_t take = std::min(room, rest.size());
      parts[part].push_back(rest.first(take));
      rest = rest.subspan(take);
      room -= take;
      if (room == 0) ++part, room = share;
    }
  return parts;
}

// Arcs by the bucket of the vertex they leave; bucket b holds [starts[b], starts[b + 1]).
struct Dealt {
  unsigned shift = 0;                 // bucket of v: v >> shift
  std::vector<std::size_t> starts;
  std::vector<Edge> arcs;
  std::uint64_t loops = 0;
};

unsigned bucket_shift(Vertex order, std::size_t arcs) {
  const std::size_t wanted = std::clamp<std::size_t>(arcs / kBucketArcs, 1, kMostBuckets);
  unsigned shift = 0;
  while ((std::size_t{order} >> shift) >= wanted && shift < 32) ++shift;
  return shift;
}

Dealt dealt(Vertex order, const EdgeLists& lists, std::size_t edges) {
  Dealt result;
  result.shift = bucket_shift(order, 2 * edges);
  const auto parts = parts_of(lists, edges);
  const std::size_t buckets = (std::size_t{order} >> result.shift) + 1;
  std::vector<std::vector<std::size_t>> cursors(parts.size(), std::vector<std::size_t>(buckets, 0));
  std::uint64_t loops = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : loops) if (parts.size() > 1)
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const auto& stretch : parts[p])
      for (const Edge e : stretch) {
        if (e.from == e.to) {
          ++loops;
          continue;
        }
        ++cursors[p][e.from >> result.shift];
        ++cursors[p][e.to >> result.shift];
      }
  std::size_t sum = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    result.starts.push_back(sum);
    for (auto& cursor : cursors) sum += std::exchange(cursor[b], sum);
  }
  result.starts.push_back(sum);
  result.loops = loops;
  result.arcs.resize(sum);
#pragma omp parallel for schedule(static, 1) if (parts.size() > 1)
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const auto& stretch : parts[p])
      for (const Edge e : stretch) {
        if (e.from == e.to) continue;
        result.arcs[cursors[p][e.from >> result.shift]++] = e;
        result.arcs[cursors[p][e.to >> result.shift]++] = {e.to, e.from};
      }
  return result;
}

// The rows of one bucket: offsets of its vertices, their targets in place, sorted, and how many of each row are distinct.
void build_rows(const Dealt& dealt, std::size_t bucket, std::vector<EdgeOffset>& offsets, std::vector<Vertex>& targets, std::vector<EdgeOffset>& kept) {
  const std::size_t begin = dealt.starts[bucket], end = dealt.starts[bucket + 1];
  const std::size_t first = bucket << dealt.shift, last = std::min(kept.size() - 1, (bucket + 1) << dealt.shift);
  for (std::size_t i = begin; i < end; ++i) ++kept[dealt.arcs[i].from];
  EdgeOffset at = begin;
  for (std::size_t v = first; v < last; ++v) {
    offsets[v] = at;
    at += std::exchange(kept[v], at);  // for now: where the next target goes
  }
  for (std::size_t i = begin; i < end; ++i) targets[kept[dealt.arcs[i].from]++] = dealt.arcs[i].to;
  for (std::size_t v = first; v < last; ++v) {
    const auto row = targets.begin() + static_cast<std::ptrdiff_t>(offsets[v]), row_end = targets.begin() + static_cast<std::ptrdiff_t>(kept[v]);
    std::sort(row, row_end);
    kept[v] = static_cast<EdgeOffset>(std::unique(row, row_end) - row);
  }
}

// Closes the gaps that dropped repeats left: row v moves from `from[v]` to `to[v]`.
std::vector<Vertex> packed(const std::vector<Vertex>& targets, const std::vector<EdgeOffset>& from, const std::vector<EdgeOffset>& to) {
  std::vector<Vertex> result(to.back());
  const std::size_t order = to.size() - 1;
#pragma omp parallel for schedule(static) if (result.size() > kWorthThreads)
  for (std::size_t v = 0; v < order; ++v) {
    std::copy_n(targets.begin() + static_cast<std::ptrdiff_t>(from[v]), to[v + 1] - to[v], result.begin() + static_cast<std::ptrdiff_t>(to[v]));
  }
  return result;
}

}  // namespace

BuiltGraph build_graph(Vertex order, EdgeLists edges, Labels labels) {
  std::size_t given = 0;
  for (const auto& list : edges) given += list.size();
  refuse_beyond_memory(order, given);
  const Dealt arcs = dealt(order, edges, given);
  edges = {};

  std::vector<EdgeOffset> offsets(std::size_t{order} + 1, arcs.arcs.size()), kept(std::size_t{order} + 1, 0);
  std::vector<Vertex> targets(arcs.arcs.size());
  const std::size_t buckets = arcs.starts.size() - 1;
#pragma omp parallel for schedule(dynamic, 1) if (given > kWorthThreads)
  for (std::size_t b = 0; b < buckets; ++b) build_rows(arcs, b, offsets, targets, kept);

  const EdgeOffset distinct = exclusive_sum(kept);
  const std::uint64_t repeats = (targets.size() - distinct) / 2;
  if (repeats > 0) {
    targets = packed(targets, offsets, kept);
    offsets = std::move(kept);
  }
  return {Graph(std::move(offsets), std::move(targets), std::move(labels)), arcs.loops, repeats};
}

}  // namespace antipode
