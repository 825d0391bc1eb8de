// antipode distances: all pairs, or from listed sources, row by row into a file.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <random>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/checkpoint.hpp"
#include "cli/estimate.hpp"
#include "cli/rows.hpp"
#include "cli/session.hpp"
#include "graph/limits.hpp"
#include "graph/sample.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;
  CheckpointOptions checkpoint;
  std::string target, to = "auto", sources;
  std::uint64_t disk_limit = std::uint64_t{16} << 30;
};

std::string format_of(const Options& options) {
  if (options.to != "auto") return options.to;
  return options.target.ends_with(".npy")                                       ? "npy"
         : options.target.ends_with(".txt") || options.target.ends_with(".tsv") ? "text"
                                                                                : "compact";
}

std::vector<Vertex> list_sources(const Graph& graph, const std::string& path,
                                 const CommonOptions& common) {
  std::vector<Vertex> sources;
  if (path.empty()) {
    sources.resize(graph.order());
    std::iota(sources.begin(), sources.end(), Vertex{0});
    return sources;
  }
  const LoadWatch watch(common);
  std::uint64_t line = 0;
  for_each_line(path, [&](std::string_view label) {
    ++line;
    if (label.ends_with('\r')) label.remove_suffix(1);
    if (label.empty()) return;
    push_charged(sources, graph.find(label));
    if (sources.back() == kNoVertex)
      throw InputError(fmt::format("{}:{}", path, line),
                       fmt::format("no vertex is called '{}'", printable(label)));
  });
  if (sources.empty()) throw InputError(path, "names no vertex: write one a line");
  return sources;
}

// Searches the sources of some finished rows again: at most 64 MB of distances.
void search_again(Rows& rows, Vertex order, std::span<const Vertex> sources,
                  DistanceFileProgress& begun) {
  constexpr std::uint64_t kRows = 16, kBytes = std::uint64_t{64} << 20;
  std::vector<Vertex> places(begun.rows), again;
  std::iota(places.begin(), places.end(), Vertex{0});
  const std::uint64_t fit = kBytes / sizeof(Length) / order;
  places = draw_sample(std::move(places), std::clamp<std::uint64_t>(fit, 1, kRows),
                       std::random_device()());
  for (const Vertex place : places) again.push_back(sources[place]);
  auto next = places.begin();
  rows.some(again, [&](std::vector<Length> found) { begun.known[*next++] = std::move(found); });
}

// The progress that the checkpoint describes. Its rows may be in no other file of this command.
DistanceFileProgress begun_in(const Options& options, const std::vector<unsigned char>& bytes,
                              Rows& rows, Vertex order, std::span<const Vertex> sources) {
  if (bytes.empty()) return {};
  const std::string& target = options.target;
  DistanceFileProgress begun = DistanceFileProgress::of(bytes, target);
  if (begun.rows == 0) return {};
  const FileIdentity place = identity_of(DistanceFile::place(target, begun));
  bool fits = begun.rows <= sources.size();
  for (const std::string& other :
       {options.common.graph, options.sources, options.checkpoint.file, target})
    fits = fits && (other.empty() || identity_of(other == "-" ? "/dev/stdin" : other) != place);
  if (!fits)
    throw InputError(options.checkpoint.file,
                     "does not describe these rows: remove it and start again without --resume");
  if (!DistanceFile::is_there(target, begun)) {
    say(fmt::format("warning: {}: the rows written before are gone, and are written again\n",
                    target));
    return {};
  }
  search_again(rows, order, sources, begun);
  return begun;
}

bool write_rows(const Options& options, Rows& rows, const Graph& graph,
                std::span<const Vertex> sources, Length most, CheckpointStore& checkpoint,
                report::DistancesReport& answer) {
  const DistanceFileProgress begun =
      begun_in(options, checkpoint.load(), rows, graph.order(), sources);
  DistanceFile file(options.target, answer.format, sources.size(), graph.order(), most, begun,
                    graph.unit());
  auto done = static_cast<Vertex>(begun.rows);
  const auto keep = [&] {
    checkpoint.save((done == 0 ? DistanceFileProgress() : file.flush()).state());
  };
  LiveObserver observer("distances", options.common);
  const bool finished = rows.all(sources, done, &file, observer, checkpoint, keep);
  answer.searches = done;
  if (finished) answer.checksum = file.commit();
  return finished;
}

// The rows are computed and thrown away; how fast the disk is, is not tried.
void time_rows(Rows& rows, std::span<const Vertex> sources, Observer& trial) {
  CheckpointStore no_checkpoint;
  Vertex done = 0;
  rows.all(sources, done, nullptr, trial, no_checkpoint, [] {});
}

void check_target_of_rows(const std::string& target) {
  const auto kind = std::filesystem::status(target).type();
  if (kind != std::filesystem::file_type::not_found &&
      kind != std::filesystem::file_type::regular && target != "-")
    throw UsageError(target + " is there and is no file: name another");
  if (target == "-") throw UsageError("distances are not written to standard output: name a file");
  for (const std::string_view packing : {".gz", ".zst"})
    if (target.ends_with(packing))
      throw UsageError(fmt::format("{}: rows are not packed: leave out the {}", target, packing));
}

ExitCode run(const Options& options) {
  check_target_of_rows(options.target);
  // Sources that are named may not be in a sample.
  const bool takes_sample = options.checkpoint.estimate && options.sources.empty();
  Session session("distances", options.common,
                  takes_sample ? Session::Extent::sample : Session::Extent::whole);
  const Graph& graph = session.whole_graph();
  report::DistancesReport answer;
  answer.file = options.target;
  answer.format = format_of(options);
  if (graph.order() == 0)
    throw InputError(options.common.graph, "a graph without vertices has no distances");
  const std::vector<Vertex> sources = list_sources(graph, options.sources, options.common);
  std::unique_ptr<Engine> engine;
  std::unique_ptr<PathEngine> path_engine;
  std::unique_ptr<Rows> rows;
  if (options.common.weighted) {
    path_engine = session.path_engine_for(graph);
    rows = rows_of(*path_engine);
  } else {
    engine = session.engine_for(graph);
    rows = rows_of(*engine);
  }
  const Length most = rows->most(session.components());
  const auto of_whole = [&](std::uint64_t vertices) {
    return static_cast<std::uint64_t>(static_cast<double>(vertices) * session.source_factor());
  };
  answer.rows = of_whole(sources.size());
  answer.columns = of_whole(graph.order());
  answer.bytes =
      DistanceFile::bytes(answer.format, answer.rows, answer.columns, most, graph.unit());
  notice(options.common,
         fmt::format("{} rows of {} distances: {}{} bytes", answer.rows, answer.columns,
                     answer.format == "text" ? "at most " : "", answer.bytes));
  if (answer.bytes > options.disk_limit)
    throw DeviceError(fmt::format(
        "{} would need {} bytes, and the disk limit is {}: raise --disk-limit, or name --sources",
        options.target, answer.bytes, options.disk_limit));
  session.finish_phase("prepare");
  if (options.checkpoint.estimate) {
    return print_estimate(
        session, sources.size(), [&](Observer& trial) { time_rows(*rows, sources, trial); },
        [&] { return engine ? seconds_of_source(*engine) : seconds_of_source(*path_engine); });
  }
  CheckpointFile checkpoint(
      options.checkpoint,
      fmt::format("distances{} as {} in {}", options.common.weighted ? " --weighted" : "",
                  answer.format, options.target),
      graph, sources);
  answer.finished = write_rows(options, *rows, graph, sources, most, checkpoint, answer);
  session.context().resumed = options.checkpoint.resumed_from();
  session.finish_phase("compute");
  session.print(answer);
  if (answer.finished) checkpoint.remove();
  return answer.finished ? kExact : kStoppedEarly;
}

}  // namespace

std::function<ExitCode()> configure_distances(Command command) {
  auto options = std::make_shared<Options>();
  options->common.add_to(command);
  options->common.add_directed_to(command);
  options->common.add_weighted_to(command);
  options->common.add_disconnected_to(command, {"reachable", "error"});
  add_target(command, "target", options->target, "the file to write").required();
  command
      .add_option("--to", options->to,
                  "npy, compact or text; by default as the file's name says. Lengths are whole "
                  "numbers in npy and compact, in the unit that the answer names")
      .one_of({"auto", "npy", "compact", "text"})
      .show_default();
  add_source(command, "--sources", options->sources,
             "a file with the vertices to start from, one a line; by default all");
  command
      .add_option("--disk-limit", options->disk_limit,
                  "bytes (k, M, G understood); more is refused")
      .in_bytes()
      .show_default();
  options->checkpoint.add_to(command);
  return [options] { return run(*options); };
}

}  // namespace antipode::cli
