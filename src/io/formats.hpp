// What a reader returns, and the readers and writers there are. Adding a format: its file, its line
// in detect.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "antipode/graph.hpp"
#include "io/input.hpp"

namespace antipode {

struct ParsedGraph {
  Vertex order = 0;
  std::vector<std::vector<Edge>> edges;
  Labels labels;
  std::vector<std::string> notices;
  bool goes_both_ways =
      false;  // the format says that its edges have no direction, and lists each once
  bool lists_both_ends =
      false;  // the format lists every edge at both its ends: that is no repetition
  std::optional<Graph> graph;  // ready as it is (.apg)
};

using Reader = ParsedGraph (*)(Input& input);
using Writer = std::vector<std::string> (*)(const Graph& graph, const std::string& path);

ParsedGraph read_edge_list(Input& input);        // vertices are the ids that occur
ParsedGraph read_dense_edge_list(Input& input);  // vertices are 0 … the largest id
ParsedGraph read_golf(Input& input);             // the same, and edges have no direction
ParsedGraph read_named_edge_list(Input& input);
ParsedGraph read_konect(Input& input);
ParsedGraph read_matrix_market(Input& input);
ParsedGraph read_metis(Input& input);
ParsedGraph read_dimacs(Input& input);
ParsedGraph read_egr(Input& input);
ParsedGraph read_rodinia(Input& input);
ParsedGraph read_apg(Input& input);
ParsedGraph read_part(Input& input);

std::vector<std::string> write_edge_list(const Graph& graph, const std::string& path);
std::vector<std::string> write_matrix_market(const Graph& graph, const std::string& path);
std::vector<std::string> write_egr(const Graph& graph, const std::string& path);
std::vector<std::string> write_apg(const Graph& graph, const std::string& path);

// An id that a header makes impossible; `first` is the smallest id allowed.
void check_id(std::uint64_t id, std::uint64_t first, Vertex order, const char* at);
// An order that 32-bit vertices cannot number.
Vertex checked_order(std::uint64_t order, const std::string& where);

inline constexpr const char* kWeightsNotice =
    "weights are read past: every edge has length 1 in this version";

}  // namespace antipode
