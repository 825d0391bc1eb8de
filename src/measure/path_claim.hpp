// What the checker of certificates with lengths and directions knows before any fact: that the
// graph is the right one, which vertices the claim is about, and that the path is a shortest one
// of the claimed length.
#pragma once

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "antipode/path_certificate.hpp"
#include "measure/proved_search.hpp"

namespace antipode {

struct ClaimRefused {
  std::string reason;
};

template <class... Args>
void require_claim(bool holds, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) throw ClaimRefused{fmt::format(format, std::forward<Args>(args)...)};
}

class PathClaim {
 public:
  PathClaim(const PathCertificate& certificate, const Graph& graph, Observer& observer);

  void check_graph();  // and finds the scope
  void check_path();

  const PathCertificate& certificate() const { return certificate_; }
  const Graph& graph() const { return graph_; }
  ProvedSearch& search() { return search_; }
  const Parts& scope() const { return scope_; }
  bool contains(Vertex v) const { return scope_[v] != kNoVertex; }
  Vertex order() const { return order_; }
  // Distances in the scope, and the largest finite one.
  std::vector<Length> distances(Vertex source, Along along) {
    return search_.distances(source, along, scope_);
  }
  void tell(std::uint64_t done, std::uint64_t all);  // the observer how far the check is
  static Length farthest(std::span<const Length> distances);
  Vertex vertex(const std::string& label) const;  // of the scope; refused if there is none
  std::vector<Vertex> vertices(const std::vector<std::string>& labels) const;  // different ones

 private:
  void work(std::uint64_t steps);
  void index_labels();
  void find_scope();

  const PathCertificate& certificate_;
  const Graph& graph_;
  Observer& observer_;
  std::uint64_t steps_ = 0;
  ProvedSearch search_;
  Parts scope_;
  Vertex order_ = 0;
  std::unordered_map<std::string, Vertex> vertex_of_;
};

// Each throws ClaimRefused where a fact is false or nothing follows.
void check_elimination(PathClaim& claim);  // diameter
void check_bounds(PathClaim& claim);       // the other questions

}  // namespace antipode
