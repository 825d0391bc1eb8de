// Reads part-shift graphs; src/graph/part_file.cpp parses the text.
#include "antipode/golf.hpp"
#include "io/formats.hpp"

namespace antipode {

ParsedGraph read_part(Input& input) {
  ParsedGraph graph;
  graph.graph = to_graph(golf::parse_part(input.name(), text_of(input)));
  return graph;
}

}  // namespace antipode
