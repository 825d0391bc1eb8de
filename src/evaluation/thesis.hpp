// What Penders (2012) measured, on any graph and OpenCL device: searches on edge lists with a
// clock, all pairs and betweenness with his predictors, and sequential versions to compare with.
#pragma once

#include "engine/host/edge_search.hpp"

namespace antipode {

// His Figure 4.4: the same edges in other orders.
enum class EdgeOrder { as_read, by_source, by_destination, shuffled, scattered };
std::vector<Edge> in_order(std::vector<Edge> edges, EdgeOrder order, std::uint64_t seed);

// Algorithm 2 on one thread; fills the distances.
double sequential_search_seconds(std::span<const Edge> edges, Vertex source,
                                 std::vector<Distance>& distances);
// Algorithm 7 for one source, on one thread and with plain doubles, adding to `centrality`.
double sequential_betweenness_seconds(std::span<const Edge> edges, Vertex source,
                                      std::vector<double>& centrality);

struct Sweep {
  std::size_t value = 0;  // work-items, or work-groups
  double seconds = 0;
  bool by_host = false;
};

struct Ordered {
  std::string order;
  double seconds = 0;
};

// All sources, of which some were run: seconds are scaled up to all of them.
struct Application {
  double measured = 0, predicted = 0, sequential = 0;
  double ours = 0;          // where the engine has another way than the thesis
  std::size_t sources = 0;  // that were run
};

struct ThesisOptions {
  std::string device;
  int runs = 15;             // timed, of which the median counts
  std::size_t samples = 64;  // sources of all pairs and betweenness
  double patience = 5;       // seconds; what takes longer is not repeated, and sweeps end there
};

struct ThesisGraph {
  std::string name;
  Vertex order = 0;
  EdgeOffset edges = 0;                         // in the list
  Distance levels = 0;                          // of the search from the first vertex
  std::uint64_t memory = 0;                     // of the device, bytes
  std::vector<std::uint64_t> degrees;           // how many vertices have each
  double read = 0, initialise = 0, search = 0;  // Figure 2.7, seconds
  double sequential = 0;
  std::vector<Sweep> items, groups;  // Figures 4.2 and 4.3
  std::vector<Ordered> orders;       // Figure 4.4
  double relaxed = 0;                // Figure 4.6
  Distance relaxed_passes = 0;
  double vertex = 0, ours = 0;         // Figure 4.7, and the engine's own search
  Application all_pairs, betweenness;  // Figures 5.3 and 6.2
};

// `read`: what reading it took. The graph must have a vertex.
ThesisGraph thesis_run(const std::string& name, const Graph& graph, double read,
                       const ThesisOptions& options,
                       const std::function<void(std::string_view)>& progress);

}  // namespace antipode
