// What a reader returns, and all readers and writers. To add a format: its file, its line in
// detect.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "antipode/graph.hpp"
#include "io/input.hpp"
#include "io/lengths.hpp"

namespace antipode {

struct ParsedGraph {
  Vertex order = 0;
  std::vector<std::vector<Edge>> edges;
  Labels labels;
  std::vector<std::string> notices;
  bool goes_both_ways =
      false;  // the format says that its edges have no direction, and lists each once
  bool lists_both_ends =
      false;                 // the format lists every edge at both its ends: that is no repetition
  bool has_lengths = false;  // the file gives lengths to its edges
  bool has_directions = false;  // the file says that its edges are arcs
  std::vector<Edge> both_ways;  // beside `edges`, which are arcs: edges without direction
  // Beside the edges if the input wants them and the file has them; else empty.
  std::vector<std::vector<Decimal>> lengths;
  std::vector<Decimal> both_way_lengths;
  std::optional<Graph> graph;  // ready as it is (.apg)
};

using Reader = ParsedGraph (*)(Input& input);
using ColumnReader = ParsedGraph (*)(Input& input,
                                     std::string_view columns);  // "source,target[,weight]"
using Writer = std::vector<std::string> (*)(const Graph& graph, const std::string& path);

ParsedGraph read_edge_list(Input& input);        // vertices are the ids that occur
ParsedGraph read_dense_edge_list(Input& input);  // vertices are 0 … the largest id
ParsedGraph read_golf(Input& input);             // the same, and edges have no direction
ParsedGraph read_named_edge_list(Input& input);
ParsedGraph read_konect(Input& input);
ParsedGraph read_csv(Input& input);
ParsedGraph read_columns(
    Input& input, std::string_view columns);  // comma-separated values, or words between blanks
ParsedGraph read_graphml(Input& input);
ParsedGraph read_pajek(Input& input);
ParsedGraph read_node_link(Input& input);
ParsedGraph read_graph6(Input& input);  // and sparse6
ParsedGraph read_matrix_market(Input& input);
ParsedGraph read_metis(Input& input);
ParsedGraph read_dimacs(Input& input);
ParsedGraph read_egr(Input& input);
ParsedGraph read_rodinia(Input& input);
ParsedGraph read_apg(Input& input);
ParsedGraph read_part(Input& input);
ParsedGraph read_bvgraph(Input& input);  // the properties; the other files are beside them

std::vector<std::string> write_edge_list(const Graph& graph, const std::string& path);
std::vector<std::string> write_matrix_market(const Graph& graph, const std::string& path);
std::vector<std::string> write_egr(const Graph& graph, const std::string& path);
std::vector<std::string> write_apg(const Graph& graph, const std::string& path);

// A Fault if the header makes the id impossible; `first` is the smallest id allowed.
void check_id(std::uint64_t id, std::uint64_t first, Vertex order, const char* at);
// The order as a Vertex; an InputError if 32 bits cannot number the vertices.
Vertex checked_order(std::uint64_t order, const std::string& where);
// The first word of a KONECT file: sym, asym or bip; empty if it is another file.
std::string_view konect_kind(std::string_view head);
// Whether the line is a whole graph in graph6 or sparse6, or may be in one of their relatives.
bool is_graph6(std::string_view line);

}  // namespace antipode
