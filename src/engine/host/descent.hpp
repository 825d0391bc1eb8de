// Whether some shortest path from v to the source passes a clique around the source; memoized.
#pragma once

#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::host {

class Descent {
 public:
  // `memory` belongs to the caller and is all zero; the destructor clears it again.
  Descent(const Adjacency& graph, std::span<const Distance> distances,
          std::span<const Vertex> clique, std::vector<unsigned char>& memory);
  ~Descent();
  Descent(const Descent&) = delete;
  Descent& operator=(const Descent&) = delete;

  bool enters(Vertex from);

 private:
  enum Answer : unsigned char { kUnknown, kEnters, kMisses };
  struct Visit {
    Vertex vertex;
    std::size_t next;  // of its neighbours
  };

  void remember(Vertex v, Answer answer);
  // Continues with the neighbours one level nearer; stops at one that must be visited first.
  Answer look(Visit& visit) const;

  Adjacency graph_;
  std::span<const Distance> distances_;
  std::vector<unsigned char>& memory_;
  std::vector<Vertex> remembered_;
  std::vector<Visit> stack_;  // the depth may reach half the diameter: no recursion
};

}  // namespace antipode::host
