// The files of a BVGraph, and what their properties say. Used by the reader, its tests and its
// fuzz target.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "antipode/graph.hpp"
#include "io/bvgraph_bits.hpp"
#include "io/formats.hpp"

namespace antipode {

struct BvProperties {
  Vertex order = 0;
  EdgeOffset arcs = 0;
  std::uint64_t window = 0;        // nodes back that a reference may go
  std::uint64_t min_interval = 0;  // 0: there are no intervals
  Coding degrees = Coding::gamma, references = Coding::unary, block_counts = Coding::gamma,
         blocks = Coding::gamma, residuals = Coding::zeta, offsets = Coding::gamma;
  unsigned k = 3;  // of zeta and Golomb codes
};
// An InputError names the line.
BvProperties parse_bv_properties(const std::string& name, std::string_view text);
// The value of `graphclass`; empty if this is no graph of WebGraph's.
std::string bv_graph_class(std::string_view text);

struct BvFiles {
  std::string name;  // without the endings .graph, .offsets and .properties
  std::string properties;
  PaddedBytes graph;
  std::optional<PaddedBytes> offsets;  // none: they are rebuilt
};
ParsedGraph parse_bvgraph(const BvFiles& files);

// The name of the graph without endings, if `where` is that or one of the files of a BVGraph.
// `format`: as LoadOptions have it.
std::optional<std::string> bvgraph_name(const std::string& where, std::string_view format);

}  // namespace antipode
