// antipode report: a page of figures about one graph or several.
#include <fmt/format.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "antipode/page.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;  // without a limit of time: reading has none, and the page one of its own
  std::vector<std::string> graphs;
  std::string output, certificate, command;
  double time_limit = PageOptions{}.time_limit;
};

// As a shell would take it again.
std::string quoted(const std::string& word) {
  const auto is_plain = [](char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0 ||
           std::string_view("-_./:=+,%@").find(byte) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string text = "'";
  for (const char byte : word) text += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
  return text + "'";
}

std::string command_of(const Options& options, Command command) {
  std::string text = "antipode report";
  for (const std::string& graph : options.graphs) text += " " + quoted(graph);
  for (const Option& option : command.given_options()) {
    if (option.name() == "graphs") continue;
    text += " " + option.name();
    if (!option.type().empty()) text += " " + quoted(option.value());
  }
  return text;
}

void check_graphs(const Options& options) {
  for (const std::string& graph : options.graphs) {
    const bool is_generated = graph.starts_with("gen:");
    if (is_generated && options.common.format != "auto")
      throw UsageError("--format goes only with a file");
  }
  if (options.graphs.size() > 1 && !options.certificate.empty())
    throw UsageError("--certificate proves one graph's diameter: name one graph");
  if (std::count(options.graphs.begin(), options.graphs.end(), "-") > 1)
    throw UsageError("standard input can be read only once");
}

LoadedGraph load(const Options& options, const std::string& graph) {
  const CommonOptions& common = options.common;
  LoadedGraph loaded;
  {
    const LoadWatch watch(common);
    loaded = load_graph(graph, {.format = common.format,
                                .direction = common.directed ? Direction::forward : Direction::none,
                                .columns = common.columns,
                                .lengths = common.weighted ? Lengths::used : Lengths::ignored,
                                .sample = 0});
  }
  for (const std::string& text : loaded.notices) notice(common, text);
  return loaded;
}

// The page of the graphs that were read before it was stopped.
ExitCode fill(Page& page, const Options& options, std::string& proof, bool& is_empty) {
  bool exact = true;
  for (const std::string& graph : options.graphs) {
    try {
      const LoadedGraph loaded = load(options, graph);
      is_empty = loaded.graph.order() == 0;
      const Page::Added added = page.add(loaded);
      exact = exact && added.exact;
      if (const auto* found = std::get_if<Certificate>(&added.proof))
        proof = report::to_json(*found);
      if (const auto* found = std::get_if<PathCertificate>(&added.proof))
        proof = report::to_json(*found);
      if (!added.finished) return kStoppedEarly;
    } catch (const Interrupted&) {
      if (page.graphs() == 0) throw;
      return kStoppedEarly;
    }
  }
  return exact ? kExact : kStoppedEarly;
}

ExitCode run(const Options& options) {
  check_graphs(options);
  catch_interrupts();
  set_threads(options.common.threads);
  set_memory_limit(options.common.memory_limit);
  ExitCode code = kExact;
  std::string html, proof;
  bool is_empty = false;
  {
    LiveObserver observer("report", options.common);
    Page page({.engine = options.common.engine,
               .engine_options = {.threads = options.common.threads,
                                  .memory_limit = options.common.memory_limit,
                                  .device = options.common.device},
               .time_limit = options.time_limit,
               .seed = options.common.seed,
               .observer = &observer,
               .version = ANTIPODE_VERSION,
               .command = options.command,
               .certificate = options.certificate});
    code = fill(page, options, proof, is_empty);
    html = page.html();
  }
  if (is_empty && !options.certificate.empty()) {
    say("no certificate is written: the graph has no vertices, and nothing is to prove\n");
  } else if (proof.empty() && !options.certificate.empty()) {
    say("no certificate is written: the diameter is not proved within the time\n");
    code = kStoppedEarly;
  }
  write_each({[&] { write_text(options.output, html); },
              [&] {
                if (!proof.empty()) write_text(options.certificate, proof);
              }});
  if (options.output != "-")
    notice(options.common,
           fmt::format("{}: {} kB{}", options.output, (html.size() + 999) / 1000,
                       code == kExact ? "" : "; not all of it is exact, as it says"));
  return code;
}

}  // namespace

std::function<ExitCode()> configure_report(Command command) {
  auto options = std::make_shared<Options>();
  CommonOptions& common = options->common;
  command
      .add_option("graphs", options->graphs,
                  "files, - for standard input, or gen:KIND?key=value&…; several are compared")
      .of_type(kSource)
      .required();
  add_target(command, "--output", options->output, "the page to write, or - for standard output")
      .required();
  command
      .add_option(
          "--time-limit", options->time_limit,
          "seconds for the measures of each graph, shared by the sections of the page; what "
          "would take longer is sampled or left out, and the page says so; 0: none")
      .not_negative()
      .show_default();
  add_target(command, "--certificate", options->certificate,
             "write a proof of the diameter that 'antipode verify' checks");
  command.add_flag("--directed", common.directed,
                   "edges go from their first vertex to the second, and so do distances");
  command.add_flag("--weighted", common.weighted, "distances are sums of the lengths of edges");
  command.add_option("--engine", common.engine, "auto, or one that 'antipode engines' lists")
      .show_default();
  const Option device = command.add_option(
      "--device", common.device,
      "of the opencl engine: a number or a part of a name that 'antipode engines' lists");
  command
      .add_option("-t,--threads", common.threads,
                  "threads to use; 0: OMP_NUM_THREADS, else one for each processor")
      .between(0u, 4096u);
  command.add_option("--seed", common.seed, "of samples").show_default();
  command
      .add_option("--memory-limit", common.memory_limit,
                  "bytes (k, M, G understood); more is refused")
      .in_bytes();
  command.add_option("--format", common.format, "of the files; by default recognized");
  command.add_option("--columns", common.columns,
                     "of tables: source,target[,weight], by name in the header or number from 1");
  command.add_flag("-q,--quiet", common.quiet, "no progress and no notices");
  return [=] {
    if (options->common.weighted) refuse_given({device}, "edges of length 1: leave --weighted out");
    options->command = command_of(*options, command);
    return run(*options);
  };
}

}  // namespace antipode::cli
