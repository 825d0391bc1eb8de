// From edges in any order to sorted rows. Both directions of every edge are first dealt into buckets of neighbouring
// vertices, in streams; then each bucket is placed, sorted and freed of repeats while it lies in the cache. Random access to all of
// memory, one cache line for every direction, is what this avoids.
// Memory: 8 bytes an edge given and 16 dealt, then 16 and 8 an edge kept; 12 bytes a vertex.
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "antipode/graph.hpp"
#include "graph/buffer.hpp"
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
  unsigned shift;                     // bucket of v: v >> shift
  std::vector<std::size_t> starts;
  Buffer<Edge> arcs;
  std::uint64_t loops;
};

// Compressed rows in memory that is not filled before it is written.
struct Rows {
  Buffer<EdgeOffset> offsets;
  Buffer<Vertex> targets;
};

unsigned bucket_shift(Vertex order, std::size_t arcs) {
  const std::size_t wanted = std::clamp<std::size_t>(arcs / kBucketArcs, 1, kMostBuckets);
  unsigned shift = 0;
  while ((std::size_t{order} >> shift) >= wanted && shift < 32) ++shift;
  return shift;
}

Dealt dealt(Vertex order, const EdgeLists& lists, std::size_t edges) {
  const unsigned shift = bucket_shift(order, 2 * edges);
  const auto parts = parts_of(lists, edges);
  const std::size_t buckets = (std::size_t{order} >> shift) + 1;
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
        ++cursors[p][e.from >> shift];
        ++cursors[p][e.to >> shift];
      }
  std::vector<std::size_t> starts;
  std::size_t sum = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    starts.push_back(sum);
    for (auto& cursor : cursors) sum += std::exchange(cursor[b], sum);
  }
  starts.push_back(sum);
  Buffer<Edge> arcs(sum);
#pragma omp parallel for schedule(static, 1) if (parts.size() > 1)
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const auto& stretch : parts[p])
      for (const Edge e : stretch) {
        if (e.from == e.to) continue;
        arcs[cursors[p][e.from >> shift]++] = e;
        arcs[cursors[p][e.to >> shift]++] = {e.to, e.from};
      }
  return {shift, std::move(starts), std::move(arcs), loops};
}

// The rows of one bucket, sorted, with their repeats moved out of the way; `distinct[v]` stay. Returns those of all its rows.
EdgeOffset build_rows(const Dealt& dealt, std::size_t bucket, Rows& rows, Buffer<Vertex>& distinct) {
  const std::size_t begin = dealt.starts[bucket], end = dealt.starts[bucket + 1];
  const std::size_t first = bucket << dealt.shift, last = std::min(distinct.size(), (bucket + 1) << dealt.shift);
  EdgeOffset* next = rows.offsets.begin();  // where the next target of each row goes
  std::fill(next + first, next + last, 0);
  for (std::size_t i = begin; i < end; ++i) ++next[dealt.arcs[i].from];
  EdgeOffset at = begin;
  for (std::size_t v = first; v < last; ++v) at += std::exchange(next[v], at);
  for (std::size_t i = begin; i < end; ++i) rows.targets[next[dealt.arcs[i].from]++] = dealt.arcs[i].to;

  EdgeOffset sum = 0;
  Vertex* row = rows.targets.begin() + begin;
  for (std::size_t v = first; v < last; ++v) {
    Vertex* const row_end = rows.targets.begin() + next[v];
    Vertex* kept_end = row_end;
    // Edges given in order come out in order, and without repeats that is all there is to do.
    if (std::adjacent_find(row, row_end, std::greater_equal<>()) != row_end) {
      std::sort(row, row_end);
      kept_end = std::unique(row, row_end);
    }
    rows.offsets[v] = static_cast<EdgeOffset>(row - rows.targets.begin());
    distinct[v] = static_cast<Vertex>(kept_end - row);
    sum += distinct[v];
    row = row_end;
  }
  return sum;
}

// Closes the gaps that dropped repeats left.
Rows packed(const Rows& rows, const Buffer<Vertex>& distinct) {
  std::vector<EdgeOffset> offsets(distinct.begin(), distinct.end());
  offsets.push_back(0);
  Rows result{Buffer<EdgeOffset>(offsets.size()), Buffer<Vertex>(exclusive_sum(offsets))};
  result.offsets[distinct.size()] = offsets.back();
#pragma omp parallel for schedule(static) if (result.targets.size() > kWorthThreads)
  for (std::size_t v = 0; v < distinct.size(); ++v) {
    result.offsets[v] = offsets[v];
    std::copy_n(rows.targets.begin() + rows.offsets[v], distinct[v], result.targets.begin() + offsets[v]);
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

  auto rows = std::make_shared<Rows>(Rows{Buffer<EdgeOffset>(std::size_t{order} + 1), Buffer<Vertex>(arcs.arcs.size())});
  rows->offsets[order] = arcs.arcs.size();
  Buffer<Vertex> distinct(order);
  EdgeOffset kept = 0;
  const std::size_t buckets = arcs.starts.size() - 1;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : kept) if (given > kWorthThreads)
  for (std::size_t b = 0; b < buckets; ++b) kept += build_rows(arcs, b, *rows, distinct);

  const std::uint64_t repeats = (rows->targets.size() - kept) / 2;
  if (repeats > 0) *rows = packed(*rows, distinct);
  const std::span<const EdgeOffset> offsets(rows->offsets.begin(), rows->offsets.size());
  const std::span<const Vertex> targets(rows->targets.begin(), rows->targets.size());
  return {Graph(std::move(rows), offsets, targets, std::move(labels)), arcs.loops, repeats};
}

}  // namespace antipode
