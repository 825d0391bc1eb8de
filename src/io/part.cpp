// Part-shift graphs, as the graph they stand for; src/graph/part_file.cpp knows the text.
#include "antipode/golf.hpp"
#include "io/formats.hpp"

namespace antipode {

ParsedGraph read_part(Input& input) {
  std::string text;
  for (std::string block; input.block(block);) text += block;
  ParsedGraph graph;
  graph.graph = expanded(parse_part(input.name(), text));
  return graph;
}

}  // namespace antipode
