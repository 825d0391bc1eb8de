// Does some shortest path from v to a row's source enter it through a given clique around that
// source? Answered by walking down the row from v, and remembered for every vertex on the way, so
// that no vertex is looked at twice.
#pragma once

#include <span>
#include <vector>

#include "antipode/graph.hpp"

namespace antipode::host {

class Descent {
 public:
  // `memory` is kept by the caller between uses, all zero; it is zero again when the descent is
  // gone.
  Descent(const Adjacency& graph, std::span<const Distance> row, std::span<const Vertex> clique,
          std::vector<unsigned char>& memory);
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
  // Looks on among the neighbours below; stops at one that must be visited first.
  Answer look(Visit& visit) const;

  Adjacency graph_;
  std::span<const Distance> distances_;
  std::vector<unsigned char>& memory_;
  std::vector<Vertex> remembered_;
  std::vector<Visit> stack_;  // the depth may reach half the diameter: no recursion
};

}  // namespace antipode::host
