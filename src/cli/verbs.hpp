// The verbs of the program. Each adds its options to a command and returns what to do when
// it is chosen.
#pragma once

#include <functional>
#include <string_view>

#include "cli/command.hpp"

namespace antipode::cli {

enum ExitCode {
  kExact = 0,
  kBug = 1,
  kUsage = 2,
  kBadInput = 3,
  kDevice = 4,
  kStoppedEarly = 5,
  kRefused = 6
};

struct Verb {
  std::string_view name, summary;
  std::function<ExitCode()> (*configure)(Command command);
};

void check_targets(
    Command command);  // files to write: an error for one that cannot be, or is named twice

std::function<ExitCode()> configure_info(Command command);
std::function<ExitCode()> configure_diameter(Command command);
std::function<ExitCode()> configure_radius(Command command);
std::function<ExitCode()> configure_center(Command command);
std::function<ExitCode()> configure_periphery(Command command);
std::function<ExitCode()> configure_eccentricity(Command command);
std::function<ExitCode()> configure_average(Command command);
std::function<ExitCode()> configure_closeness(Command command);
std::function<ExitCode()> configure_betweenness(Command command);
std::function<ExitCode()> configure_distances(Command command);
std::function<ExitCode()> configure_bfs(Command command);
std::function<ExitCode()> configure_generate(Command command);
std::function<ExitCode()> configure_convert(Command command);
std::function<ExitCode()> configure_verify(Command command);
std::function<ExitCode()> configure_engines(Command command);
std::function<ExitCode()> configure_bench(Command command);
std::function<ExitCode()> configure_golf(Command command);

inline constexpr Verb kVerbs[] = {
    {"info", "what the graph is: sizes, components, triangles, clustering, degrees",
     configure_info},
    {"diameter", "the largest distance, two vertices that attain it, and the path between them",
     configure_diameter},
    {"radius", "the smallest eccentricity", configure_radius},
    {"center", "the vertices of smallest eccentricity", configure_center},
    {"periphery", "the vertices of largest eccentricity", configure_periphery},
    {"eccentricity", "the largest distance from every vertex, and how these are distributed",
     configure_eccentricity},
    {"average", "the average distance, and how many pairs are at each distance", configure_average},
    {"closeness", "how near every vertex is to all others, and the nearest of them",
     configure_closeness},
    {"betweenness", "the share of shortest paths that passes every vertex or edge",
     configure_betweenness},
    {"distances",
     "all distances, or those from some vertices, into a file: antipode distances GRAPH FILE",
     configure_distances},
    {"bfs", "one search: how many vertices at each distance", configure_bfs},
    {"generate", "make a graph: antipode generate 'gen:rmat?scale=20' FILE", configure_generate},
    {"convert", "read one format, write another", configure_convert},
    {"verify", "check a certificate against its graph", configure_verify},
    {"engines", "what can search on this machine", configure_engines},
    {"golf", "the order/degree problem: evaluate a graph, bounds, search for a better one",
     configure_golf},
    {"bench", "repeat a published evaluation on graphs of your own: antipode bench paper GRAPH…",
     configure_bench},
};

}  // namespace antipode::cli
