// Bounds of eccentricities along the arcs, for vertices that reach each other and all others: those
// of a connected graph without directions, or of the strong component that reaches all. A search
// from s and one to it bound e(v) by d(v, s) + e(s) and, from below, by d(v, s) and by
// e(s) - d(s, v). [Takes & Kosters 2013] Memory: 20 bytes per vertex.
#pragma once

#include <vector>

#include "measure/path_run.hpp"

namespace antipode {

class PathBounds {
 public:
  PathBounds(PathRun& run, std::vector<Vertex> members);

  PathRun& run() { return run_; }
  const Graph& graph() const { return run_.graph(); }
  const std::vector<Vertex>& members() const { return members_; }
  Length lower(Vertex v) const { return lower_[v]; }
  Length upper(Vertex v) const { return upper_[v]; }
  bool is_open(Vertex v) const { return lower_[v] < upper_[v]; }
  bool is_searched(Vertex v) const { return is_searched_[v]; }
  Length least_lower() const;
  Length least_upper() const;
  Length most_upper() const;

  PathSearch search(Vertex member);  // along the arcs and against them
  void search_to(Vertex v);          // lower bounds from the distances to any vertex
  // So many of the open ones at once, those first that `is_before` puts first.
  template <class IsBefore>
  void search_batch(std::vector<Vertex> open, IsBefore is_before) {
    const std::size_t most = std::max(batch_size_, open.size() / kLeastPart);
    if (open.size() > most) {
      std::nth_element(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(most), open.end(),
                       is_before);
      open.resize(most);
    }
    search_all(open);
  }
  // Whether so many searched at once cost less than the searches made so far.
  bool batch_pays(std::size_t open) const;

 private:
  static constexpr std::size_t kLeastPart = 8;

  void search_all(std::span<const Vertex> sources);

  PathRun& run_;
  std::vector<Vertex> members_;
  std::vector<Length> lower_, upper_;
  std::vector<bool> is_searched_;
  std::size_t batch_size_;
};

}  // namespace antipode
