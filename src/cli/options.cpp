#include "cli/options.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/verbs.hpp"

namespace antipode::cli {

namespace {

const std::vector<std::string> kEngines{"auto", "cpu", "cuda", "opencl"};

std::vector<std::string> format_names() {
  std::vector<std::string> names{"auto"};
  for (const Format& each : formats()) names.emplace_back(each.name);
  return names;
}

}  // namespace

constexpr const char* kTarget = "TARGET";

void CommonOptions::add_to(Command command, Source source) {
  add_source_to(command, source);
  add_engine_to(command);
  add_answer_to(command, source);
  add_order_to(command);
}

void CommonOptions::add_source_to(Command command, Source source) {
  command_ = command;
  const std::string text = source == Source::generated
                               ? "gen:KIND?key=value&…"
                               : "a file, - for standard input, or gen:KIND?key=value&…";
  (source == Source::several
       ? command.add_option("graph", graphs, text + "; or several of them").of_type(kSource)
       : add_source(command, "graph", graph, text))
      .required();
  command
      .add_option(
          "--threads", threads,
          "threads to use; 0: OMP_NUM_THREADS, else one for each processor (small graphs: one)")
      .between(0u, 4096u);
  command.add_option("--seed", seed, "for random choices, and for gen: graphs that name no seed");
  command
      .add_option("--time-limit", time_limit,
                  "seconds from the start; then the bounds reached so far")
      .not_negative();
  command.add_option("--memory-limit", memory_limit, "bytes (k, M, G understood); more is refused")
      .in_bytes();
  command.add_flag("--quiet", quiet, "no progress and no notices");
  if (source == Source::generated) return;
  command.add_option("--format", format, "of the file; by default recognized")
      .suggest(format_names());
  command.add_option("--columns", columns,
                     "of a table: source,target[,weight], by name in its header or number from 1");
}

void CommonOptions::add_engine_to(Command command) {
  command.add_option("--engine", engine, "auto, or one that 'antipode engines' lists")
      .suggest(kEngines)
      .show_default();
  command
      .add_option("--kernel", kernel,
                  "how the engine searches: auto, or one that 'antipode engines' lists")
      .show_default();
  command.add_option(
      "--device", device,
      "of the opencl engine: a number or a part of a name that 'antipode engines' lists");
  command
      .add_option("--layout", layout,
                  "adjacency of the cuda engine's named kernels: lists or matrix")
      .one_of({"lists", "matrix"})
      .show_default();
}

void CommonOptions::add_answer_to(Command command, Source source) {
  if (source != Source::several) {
    command.add_flag("--json", json, "answer in JSON");
    return;
  }
  command.add_flag("--json", json, "answer in JSON; of several graphs one line each");
  command.add_flag("--csv", csv, "answer as a header and a row for each graph");
}

void CommonOptions::add_order_to(Command command) {
  command
      .add_option("--order", order,
                  "of the vertices in memory: as-read, degree, bfs or rcm; no answer shows it")
      .suggest({"as-read", "degree", "bfs", "rcm"})
      .show_default();
}

void refuse_given(std::initializer_list<Option> options, const std::string& only_with) {
  for (const Option& option : options)
    if (option.is_given())
      throw UsageError(fmt::format("{} goes only with {}", option.name(), only_with));
}

Option add_target(Command command, const std::string& name, std::string& path,
                  const std::string& text) {
  return command.add_option(name, path, text).of_type(kTarget);
}
bool is_target(const Option& option) { return option.type() == kTarget; }
Option add_source(Command command, const std::string& name, std::string& path,
                  const std::string& text) {
  return command.add_option(name, path, text).of_type(kSource);
}

namespace {

// A graph's file, and those that are read with it: a BVGraph has three.
std::vector<std::string> files_of(const std::string& graph) {
  constexpr std::string_view kEndings[] = {".graph", ".offsets", ".properties"};
  std::string name = graph;
  for (const std::string_view ending : kEndings)
    if (graph.ends_with(ending)) name = graph.substr(0, graph.size() - ending.size());
  std::vector<std::string> files{graph};
  if (access((name + ".properties").c_str(), F_OK) == 0)
    for (const std::string_view ending : kEndings)
      if (name + std::string(ending) != graph) files.push_back(name + std::string(ending));
  return files;
}

// The regular file behind a standard stream, if there is one.
std::optional<FileIdentity> file_behind(int stream) {
  struct stat status {};
  if (fstat(stream, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino, {}};
}

}  // namespace

void check_targets(Command command) {
  std::map<FileIdentity, std::string> options;  // by the file they lead to
  const auto is_file = [](const std::string& path) { return !path.empty() && path != "-"; };
  const std::vector<Option> given = command.given_options();
  for (const Option& source : given) {
    if (source.type() != kSource) continue;
    for (const std::string& path : source.values()) {
      if (is_file(path) && !path.starts_with("gen:"))
        for (const std::string& file : files_of(path))
          options.emplace(identity_of(file), source.name());
      if (const auto in = file_behind(STDIN_FILENO); path == "-" && in)
        options.emplace(*in, source.name());
    }
  }
  if (const auto out = file_behind(STDOUT_FILENO)) options.emplace(*out, "standard output");
  std::string on_output;  // the target that is standard output
  for (const Option& target : given) {
    if (target.type() != kTarget) continue;
    const std::string path = target.value();
    if (path == "-" && !on_output.empty())
      throw UsageError(fmt::format("{} and {} are both standard output", on_output, target.name()));
    if (path == "-") on_output = target.name();
    if (!is_file(path)) continue;
    const auto [other, is_new] = options.emplace(identity_of(path), target.name());
    if (!is_new)
      throw UsageError(
          fmt::format("{} and {} name the same file, {}", other->second, target.name(), path));
    check_target(path);
  }
  for (const Command& each : command.named_commands()) check_targets(each);
}

void CommonOptions::add_disconnected_to(Command command, std::vector<std::string> choices,
                                        std::vector<std::string> directed_choices) {
  policies = std::move(choices);
  directed_policies_ = std::move(directed_choices);
  disconnected = policies.front();
  std::string text = fmt::format("a graph that is not connected: {}", fmt::join(policies, ", "));
  if (!directed_policies_.empty())
    text += fmt::format("; with --directed, where not every vertex reaches all: {}",
                        fmt::join(directed_policies_, ", "));
  std::vector<std::string> all = policies;
  for (const std::string& each : directed_policies_)
    if (std::find(all.begin(), all.end(), each) == all.end()) all.push_back(each);
  command.add_option("--disconnected", disconnected, text).one_of(all).show_default();
}

void CommonOptions::fit_policy() {
  if (directed && !directed_policies_.empty()) {
    policies = directed_policies_;
    if (!command_.find("--disconnected")->is_given()) disconnected = policies.front();
  }
  if (std::find(policies.begin(), policies.end(), disconnected) == policies.end())
    throw UsageError(fmt::format("--disconnected {} goes only with{} --directed; choose {}",
                                 disconnected, directed ? "out" : "", fmt::join(policies, ", ")));
}

void CommonOptions::add_directed_to(Command command) {
  takes_directed = true;
  command.add_flag("--directed", directed,
                   "edges go from their first vertex to the second, and so do distances");
}

void CommonOptions::add_weighted_to(Command command) {
  takes_weighted = true;
  command.add_flag("--weighted", weighted, "distances are sums of the lengths of edges");
}

void CommonOptions::add_estimate_to(Command command) {
  command.add_flag("--estimate", estimate,
                   "only say how long it would take and how much memory, from a small part of it");
}

void CommonOptions::add_path_to(Command command) {
  command.add_flag("--path", whole_path,
                   "print every vertex of a long path, too; JSON always has them");
}

bool CommonOptions::takes_seed() const {
  if (!graph.starts_with("gen:") || graph.find("seed=") != std::string::npos) return false;
  const std::string kind = graph.substr(
      4, graph.find('?') == std::string::npos ? std::string::npos : graph.find('?') - 4);
  const auto all = generators();
  return std::any_of(all.begin(), all.end(), [&](const Generator& each) {
    return each.kind == kind && each.parameters.find("seed") != std::string_view::npos;
  });
}

std::string CommonOptions::place() const {
  if (seed == 1 || !takes_seed()) return graph;
  return fmt::format("{}{}seed={}", graph, graph.find('?') == std::string::npos ? "?" : "&", seed);
}

void CommonOptions::refuse_unused() const {
  if (!draws && !takes_seed())
    refuse_given({*command_.find("--seed")}, "random choices or a gen: graph that names no seed");
  if (const auto option = command_.find("--format"); option && graph.starts_with("gen:"))
    refuse_given({*option}, "a file");
  if (!weighted) return;
  for (const char* name : {"--kernel", "--layout", "--device"})
    if (const auto option = command_.find(name))
      refuse_given({*option}, "edges of length 1: leave --weighted out");
}

}  // namespace antipode::cli
