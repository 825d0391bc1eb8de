// The tables of `antipode bench paper`.
#pragma once

#include <string>
#include <vector>

#include "engine/host/evaluation.hpp"
#include "evaluation/paper.hpp"
#include "report/table.hpp"

namespace antipode::report {

struct PaperGraph {
  std::string name;
  Vertex vertices = 0;
  EdgeOffset edges = 0;
  double effective = 0;  // D90, sampled
  PaperRun sequential;
  std::vector<PaperRun> runs;     // one for each kernel
  std::vector<LevelTrace> trace;  // of a search from the vertex of highest degree
};

struct PaperSurface {
  Vertex active = 0, length = 0;
  LevelTrace level;
};

struct PaperReport {
  std::vector<std::string> kernels;
  std::size_t pointers = 0;  // which of them is Pointers
  std::vector<PaperGraph> graphs;
  std::vector<PaperSurface> surface;
};

std::vector<Table> tables(const PaperReport& report);

}  // namespace antipode::report
