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
  // For the help, the manual and completions. A test runs the examples, one a line and one after
  // the other, in an empty folder: every verb has some, and they take no time.
  std::string_view heading = {}, examples = {};
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
std::function<ExitCode()> configure_table(Command command);
std::function<ExitCode()> configure_distances(Command command);
std::function<ExitCode()> configure_bfs(Command command);
std::function<ExitCode()> configure_report(Command command);
std::function<ExitCode()> configure_generate(Command command);
std::function<ExitCode()> configure_convert(Command command);
std::function<ExitCode()> configure_verify(Command command);
std::function<ExitCode()> configure_engines(Command command);
std::function<ExitCode()> configure_bench(Command command);
std::function<ExitCode()> configure_golf(Command command);
std::function<ExitCode()> configure_help(Command command);

inline constexpr std::string_view kQuestions = "Questions", kGraphs = "Graphs and files",
                                  kProofs = "Proofs, machines and published evaluations";

inline constexpr Verb kVerbs[] = {
    {"info", "what the graph is: sizes, components, triangles, clustering, degrees", configure_info,
     kQuestions,
     "antipode info 'gen:rmat?scale=12'\n"
     "antipode info gen:karate --json"},
    {"diameter", "the largest distance, two vertices that attain it, and the path between them",
     configure_diameter, kQuestions,
     "antipode diameter 'gen:rmat?scale=12' --certificate proof.json\n"
     "antipode diameter 'gen:road?rows=30&cols=30&lengths=1..100' --weighted"},
    {"radius", "the smallest eccentricity", configure_radius, kQuestions,
     "antipode radius 'gen:ws?n=1000'"},
    {"center", "the vertices of smallest eccentricity", configure_center, kQuestions,
     "antipode center 'gen:ws?n=1000' --output center.txt"},
    {"periphery", "the vertices of largest eccentricity", configure_periphery, kQuestions,
     "antipode periphery gen:karate --json"},
    {"eccentricity", "the largest distance from every vertex, and how these are distributed",
     configure_eccentricity, kQuestions,
     "antipode eccentricity 'gen:ws?n=1000' --output eccentricities.txt\n"
     "antipode eccentricity 'gen:er?n=300&degree=3' --directed"},
    {"average", "the average distance, and how many pairs are at each distance", configure_average,
     kQuestions,
     "antipode average 'gen:ws?n=2000'\n"
     "antipode average 'gen:ws?n=20000' --samples 100"},
    {"closeness", "how near every vertex is to all others, and the nearest of them",
     configure_closeness, kQuestions,
     "antipode closeness gen:karate --top 3\n"
     "antipode closeness gen:karate --harmonic --output closeness.txt"},
    {"betweenness", "the share of shortest paths that passes every vertex or edge",
     configure_betweenness, kQuestions,
     "antipode betweenness gen:karate --normalized --top 5\n"
     "antipode betweenness gen:karate --edges --output betweenness.txt"},
    {"table", "several measures of every vertex side by side, as CSV, TSV, JSON or NumPy arrays",
     configure_table, kQuestions,
     "antipode table gen:karate --measures degree,eccentricity,closeness --output karate.csv"},
    {"distances", "all distances, or those from some vertices, into a file", configure_distances,
     kQuestions,
     "antipode distances gen:karate distances.npy\n"
     "antipode distances gen:karate distances.txt --to text"},
    {"bfs", "one search: how many vertices at each distance", configure_bfs, kQuestions,
     "antipode bfs gen:karate --source 17"},
    {"report", "a page of figures about one graph or several", configure_report, kQuestions,
     "antipode report gen:karate -o karate.html"},
    {"generate", "make a graph: random, regular, or as roads are", configure_generate, kGraphs,
     "antipode generate 'gen:rmat?scale=10' web.txt"},
    {"convert", "read one format, write another", configure_convert, kGraphs,
     "antipode convert gen:karate karate.mtx.gz\n"
     "antipode convert karate.mtx.gz karate.apg --largest"},
    {"verify", "check a certificate against its graph", configure_verify, kProofs,
     "antipode diameter gen:karate --certificate proof.json\n"
     "antipode verify proof.json gen:karate"},
    {"engines", "what can search on this machine", configure_engines, kProofs, "antipode engines"},
    {"golf", "the order/degree problem: evaluate a graph, bounds, search for a better one",
     configure_golf, kProofs,
     "antipode golf search --order 64 --degree 4 --time 1 --output best.part\n"
     "antipode golf evaluate best.part\n"
     "antipode golf bound 64 4"},
    {"bench", "repeat a published evaluation on graphs of your own", configure_bench, kProofs,
     "antipode bench paper gen:karate --runs 3"},
    {"help", "this text, or that of a verb; manual pages and completions", configure_help, kProofs,
     "antipode help diameter\n"
     "antipode help golf search\n"
     "antipode help --completion bash > antipode.bash"},
};

}  // namespace antipode::cli
