#include "engine/host/descent.hpp"

namespace antipode::host {

Descent::Descent(const Adjacency& graph, std::span<const Distance> distances,
                 std::span<const Vertex> clique, std::vector<unsigned char>& memory)
    : graph_(graph), distances_(distances), memory_(memory) {
  memory_.resize(graph.order(), kUnknown);
  for (const Vertex v : clique)
    if (distances_[v] == 1) remember(v, kEnters);
}

Descent::~Descent() {
  for (const Vertex v : remembered_) memory_[v] = kUnknown;
}

void Descent::remember(Vertex v, Answer answer) {
  memory_[v] = answer;
  remembered_.push_back(v);
}

Descent::Answer Descent::look(Visit& visit) const {
  const auto around = graph_.neighbors(visit.vertex);
  for (; visit.next < around.size(); ++visit.next) {
    const Vertex u = around[visit.next];
    if (distances_[u] + 1 != distances_[visit.vertex] || memory_[u] == kMisses) continue;
    return static_cast<Answer>(memory_[u]);
  }
  return kMisses;
}

bool Descent::enters(Vertex from) {
  stack_.assign(1, {from, 0});
  while (!stack_.empty()) {
    Visit& visit = stack_.back();
    const Vertex v = visit.vertex;
    Answer answer = static_cast<Answer>(memory_[v]);
    if (answer == kUnknown) {
      // At distance 1 only the clique counts, and it is known.
      answer = distances_[v] <= 1 ? kMisses : look(visit);
      if (answer == kUnknown) {
        const Vertex below = graph_.neighbors(v)[visit.next];
        stack_.push_back({below, 0});
        continue;
      }
      remember(v, answer);
    }
    stack_.pop_back();
  }
  return memory_[from] == kEnters;
}

}  // namespace antipode::host
