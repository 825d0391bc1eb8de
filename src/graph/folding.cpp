#include "graph/folding.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "graph/hash.hpp"
#include "graph/parallel.hpp"
#include "graph/subgraph.hpp"

namespace antipode {

namespace {

struct Hashed {
  std::uint64_t hash;
  Vertex vertex;
};

// The vertices by a hash of their neighbours, without those whose hash is unique: few are left to
// be sorted and compared.
std::vector<Hashed> with_shared_hash(const Adjacency& graph, std::span<const Vertex> among) {
  std::vector<Hashed> all(among.size());
  in_chunks(among.size(), static_cast<int>(threads()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      all[i] = {
          hash_bytes(graph.neighbors(among[i]).data(), graph.neighbors(among[i]).size_bytes()),
          among[i]};
  });
  const std::size_t slots = std::bit_ceil(8 * among.size() + 1);
  std::vector<unsigned char> users(slots, 0);  // at most 2 is counted
  for (const Hashed& each : all)
    users[each.hash & (slots - 1)] =
        static_cast<unsigned char>(std::min(users[each.hash & (slots - 1)] + 1, 2));
  std::erase_if(all, [&](const Hashed& each) { return users[each.hash & (slots - 1)] < 2; });
  return all;
}

bool adjacent(const Adjacency& graph, Vertex a, Vertex b) {
  if (graph.degree(a) > graph.degree(b)) std::swap(a, b);
  const auto neighbours = graph.neighbors(a);
  return std::binary_search(neighbours.begin(), neighbours.end(), b);
}

// Whether v is simplicial and may be removed. Its neighbours of higher degree remain; if there are
// none, the component is a clique, of which the first vertex remains.
bool is_removable_simplicial(const Adjacency& graph, Vertex v, Vertex longest, Vertex most) {
  const auto around = graph.neighbors(v);
  if (around.empty() || around.size() > longest) return false;
  const auto left = std::count_if(around.begin(), around.end(),
                                  [&](Vertex u) { return graph.degree(u) > around.size(); });
  if (left > most || (left == 0 && around[0] > v) ||
      std::any_of(around.begin(), around.end(),
                  [&](Vertex u) { return graph.degree(u) < around.size(); }))
    return false;
  for (std::size_t i = 1; i < around.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!adjacent(graph, around[i], around[j])) return false;
  return true;
}

}  // namespace

std::vector<std::vector<Vertex>> twin_classes(const Adjacency& graph,
                                              std::span<const Vertex> among) {
  std::vector<Hashed> hashed = with_shared_hash(graph, among);
  std::sort(hashed.begin(), hashed.end(), [](const Hashed& a, const Hashed& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.vertex < b.vertex;
  });
  std::vector<std::vector<Vertex>> classes;
  for (std::size_t i = 0; i < hashed.size();) {
    const auto first = graph.neighbors(hashed[i].vertex);
    std::vector<Vertex> members{hashed[i].vertex};
    std::size_t j = i + 1;
    for (; j < hashed.size() && hashed[j].hash == hashed[i].hash; ++j) {
      const auto other = graph.neighbors(hashed[j].vertex);
      if (std::equal(first.begin(), first.end(), other.begin(), other.end()))
        members.push_back(hashed[j].vertex);
    }
    if (members.size() > 1) classes.push_back(std::move(members));
    i = j;
  }
  return classes;
}

std::vector<unsigned char> bases_of_pendant_paths(const Adjacency& graph, int threads) {
  std::vector<unsigned char> is_base(graph.order(), 0);
  in_chunks(graph.order(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t leaf = begin; leaf < end; ++leaf) {
      if (graph.degree(static_cast<Vertex>(leaf)) != 1) continue;
      Vertex below = static_cast<Vertex>(leaf), v = graph.neighbors(below)[0];
      while (graph.degree(v) == 2) {
        relaxed_store<unsigned char>(is_base[v], 1);
        const auto neighbours = graph.neighbors(v);
        v = neighbours[neighbours[0] == std::exchange(below, v) ? 1 : 0];
      }
      if (graph.degree(v) > 2) relaxed_store<unsigned char>(is_base[v], 1);
    }
  });
  return is_base;
}

Skeleton skeleton_of(const Graph& graph, Vertex longest, Vertex most, int threads) {
  const Adjacency adjacency = graph.adjacency();
  Skeleton result{Graph(), std::vector<Vertex>(adjacency.order())};
  in_chunks(adjacency.order(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      result.place[v] =
          is_removable_simplicial(adjacency, static_cast<Vertex>(v), longest, most) ? kNoVertex : 0;
  });
  std::vector<Vertex> left;
  for (Vertex v = 0; v < adjacency.order(); ++v) {
    if (result.place[v] == kNoVertex) continue;
    result.place[v] = static_cast<Vertex>(left.size());
    left.push_back(v);
  }
  result.graph = subgraph(graph, left, result.place, threads);
  return result;
}

}  // namespace antipode
