#include "graph/folding.hpp"

#include <algorithm>
#include <utility>

#include "graph/hash.hpp"
#include "graph/parallel.hpp"

namespace antipode {

std::vector<std::vector<Vertex>> twin_classes(const Graph& graph, std::span<const Vertex> among) {
  struct Hashed {
    std::uint64_t hash;
    Vertex vertex;
  };
  std::vector<Hashed> hashed;
  hashed.reserve(among.size());
  for (const Vertex v : among) hashed.push_back({hash_bytes(graph.neighbors(v).data(), graph.neighbors(v).size_bytes()), v});
  std::sort(hashed.begin(), hashed.end(), [](const Hashed& a, const Hashed& b) { return a.hash != b.hash ? a.hash < b.hash : a.vertex < b.vertex; });
  std::vector<std::vector<Vertex>> classes;
  for (std::size_t i = 0; i < hashed.size();) {
    const auto first = graph.neighbors(hashed[i].vertex);
    std::vector<Vertex> members{hashed[i].vertex};
    std::size_t j = i + 1;
    for (; j < hashed.size() && hashed[j].hash == hashed[i].hash; ++j) {
      const auto row = graph.neighbors(hashed[j].vertex);
      if (std::equal(first.begin(), first.end(), row.begin(), row.end())) members.push_back(hashed[j].vertex);
    }
    if (members.size() > 1) classes.push_back(std::move(members));
    i = j;
  }
  return classes;
}

std::vector<unsigned char> stems(const Graph& graph, int threads) {
  std::vector<unsigned char> stem(graph.order(), 0);
  in_stretches(graph.order(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t leaf = begin; leaf < end; ++leaf) {
      if (graph.degree(static_cast<Vertex>(leaf)) != 1) continue;
      Vertex below = static_cast<Vertex>(leaf), v = graph.neighbors(below)[0];
      while (graph.degree(v) == 2) {
        relaxed_store<unsigned char>(stem[v], 1);
        const auto row = graph.neighbors(v);
        v = row[row[0] == std::exchange(below, v) ? 1 : 0];
      }
      if (graph.degree(v) > 2) relaxed_store<unsigned char>(stem[v], 1);
    }
  });
  return stem;
}

}  // namespace antipode
