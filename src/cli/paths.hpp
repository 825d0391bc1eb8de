// What --directed and --weighted ask of the verbs: questions that a PathEngine answers.
#pragma once

#include <string>

#include "cli/checkpoint.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

struct PathOptions {
  const CommonOptions& common;
  std::string certificate, output;
  enum class CountPairs { if_quick, always } count_pairs = CountPairs::if_quick;
};

ExitCode run_path_diameter(const PathOptions& options);
ExitCode run_path_set(Question question, const PathOptions& options);  // radius, center, periphery
ExitCode run_path_eccentricities(const PathOptions& options, const CheckpointOptions& checkpoint);
ExitCode run_path_search(const PathOptions& options, const std::string& source);

// Of these.
// Says why there is none, if one was asked for and nothing stopped it.
void say_no_proof(const PathOptions& options, const char* reason);
// No distance is longer: an upper bound without a search.
Length longest_possible(const Graph& graph);
std::vector<Vertex> in_file_order(const Graph& graph);
// The vertex with this label; without one the vertex of highest degree.
Vertex source_vertex(const Graph& graph, const std::string& label);

}  // namespace antipode::cli
