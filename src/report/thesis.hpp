// The tables of `antipode bench thesis`.
#pragma once

#include "evaluation/thesis.hpp"
#include "report/table.hpp"

namespace antipode::report {

// The largest graphs that fit so much memory, by mean number of neighbours.
struct Capacity {
  std::string memory, task;
  std::vector<std::uint64_t> vertices;  // for kNeighbors
  static constexpr unsigned kNeighbors[] = {3, 12, 24};
};

struct ThesisReport {
  std::vector<ThesisGraph> graphs;
  std::vector<Capacity> capacities;
};

std::vector<Table> tables(const ThesisReport& report);

}  // namespace antipode::report
