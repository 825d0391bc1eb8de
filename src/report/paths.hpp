// Answers about graphs with lengths or directions. The diameter has the same form as without; see
// report.hpp.
#pragma once

#include <optional>
#include <vector>

#include "antipode/path_measures.hpp"
#include "report/report.hpp"

namespace antipode::report {

// Radius, center or periphery.
struct PathSetReport {
  Question question = Question::radius;
  Graph graph;
  bool undefined = false;       // no vertex reaches all others, or there is none
  Length lower = 0, upper = 0;  // of the radius or the diameter
  bool exact = false;
  std::vector<Vertex> members;      // center and periphery, in the file's order
  std::optional<Vertex> reach_all;  // radius and center of a directed graph
  Witness witness;
  std::uint64_t searches = 0;
};

// Along the arcs, and of a directed graph against them.
struct PathEccentricityReport {
  Graph graph;
  bool undefined = false;
  PathEccentricities out;
  std::optional<PathEccentricities> in;
  Witness witness;
  bool exact() const { return out.exact && (!in || in->exact); }
};

// One search.
struct PathSearchReport {
  Graph graph;
  PathSearch search;
  std::vector<Length> distances;
  Witness witness;  // to the farthest vertex
};

std::string render(const Context& context, const PathSetReport& answer, Style style);
std::string render(const Context& context, const PathEccentricityReport& answer, Style style);
std::string render(const Context& context, const PathSearchReport& answer, Style style);

}  // namespace antipode::report
