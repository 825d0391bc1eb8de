// antipode table: several measures of every vertex, a row a vertex.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "antipode/ask.hpp"
#include "antipode/engine.hpp"
#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

namespace {

struct Options {
  CommonOptions common;
  std::vector<std::string> measures{"degree", "eccentricity", "closeness", "component"};
  std::string output = "-";
  TableFormat format = TableFormat::none;
  std::size_t samples = 0;
  Option samples_option;
};

const std::vector<std::pair<std::string, VertexMeasure>> kMeasures{
    {"degree", VertexMeasure::degree},
    {"component", VertexMeasure::component},
    {"eccentricity", VertexMeasure::eccentricity},
    {"closeness", VertexMeasure::closeness},
    {"harmonic", VertexMeasure::harmonic},
    {"betweenness", VertexMeasure::betweenness}};
const std::map<std::string, TableFormat> kFormats{{"csv", TableFormat::csv},
                                                  {"tsv", TableFormat::tsv},
                                                  {"json", TableFormat::json},
                                                  {"npz", TableFormat::npz}};

// Measures follow each other, and each counts its searches from 0.
class PhasedObserver final : public Observer {
 public:
  explicit PhasedObserver(const CommonOptions& options)
      : options_(options), stopping_("table", options), shown_(std::in_place, "table", options) {}
  void progress(const Progress& progress) override {
    if (progress.searches < searches_) shown_.emplace("table", options_);
    searches_ = progress.searches;
    shown_->progress(progress);
  }
  bool stop() override { return stopping_.stop(); }

 private:
  const CommonOptions& options_;
  LiveObserver stopping_;  // is asked from any thread
  std::optional<LiveObserver> shown_;
  std::uint64_t searches_ = 0;
};

std::string name_of(VertexMeasure measure) {
  return std::find_if(kMeasures.begin(), kMeasures.end(),
                      [&](const auto& each) { return each.second == measure; })
      ->first;
}

std::string name_of(TableFormat format) {
  return std::find_if(kFormats.begin(), kFormats.end(),
                      [&](const auto& each) { return each.second == format; })
      ->first;
}

std::vector<VertexMeasure> measures_of(const Options& options) {
  std::vector<VertexMeasure> measures;
  for (const std::string& name : options.measures) {
    const auto known = std::find_if(kMeasures.begin(), kMeasures.end(),
                                    [&](const auto& each) { return each.first == name; });
    if (std::find(measures.begin(), measures.end(), known->second) != measures.end())
      throw UsageError(fmt::format("--measures names {} twice", name));
    measures.push_back(known->second);
  }
  return measures;
}

// On standard output the table is the answer, and --json is about it.
TableFormat format_of(const Options& options) {
  if (options.format != TableFormat::none) {
    if (options.common.json && options.output == "-" && options.format != TableFormat::json)
      throw UsageError("--json and --to ask for different tables: leave one of them out");
    return options.format;
  }
  if (options.output == "-") return options.common.json ? TableFormat::json : TableFormat::csv;
  const TableFormat format = table_format_of(options.output);
  if (format == TableFormat::none)
    throw UsageError(fmt::format(
        "{}: how is the table written? End the name in .csv, .tsv, .json or .npz, or say --to",
        options.output));
  return format;
}

Disconnected policy_of(const std::string& name) {
  return name == "largest" ? Disconnected::largest
         : name == "error" ? Disconnected::error
                           : Disconnected::reachable;
}

void set_part(const Options& options, const About& about, Session& session) {
  if (options.common.disconnected != "largest" || about.order == session.whole().order()) return;
  report::Context& context = session.context();
  context.used_vertices = about.order;
  context.used_edges = about.size;
  if (options.common.directed) context.strong_components = about.components;
  notice(options.common,
         fmt::format("{} {}components; distances are of the largest, {} of {} vertices",
                     about.components, options.common.directed ? "strong " : "", about.order,
                     session.whole().order()));
}

void print_or_say(Session& session, const report::TableReport& answer, bool alone) {
  if (!alone) return session.print(answer);
  if (!answer.finished()) say(session.text_of(answer));
}

ExitCode run(const Options& options) {
  const std::vector<VertexMeasure> measures = measures_of(options);
  const TableFormat format = format_of(options);
  if (std::find(measures.begin(), measures.end(), VertexMeasure::betweenness) == measures.end())
    refuse_given({options.samples_option}, "--measures betweenness");
  Session session("table", options.common);
  const Graph& graph = session.whole_graph();
  PhasedObserver observer(options.common);
  const VertexTable found =
      vertex_table(graph, measures,
                   {.disconnected = policy_of(options.common.disconnected),
                    .engine = options.common.engine,
                    .engine_options = session.engine_options(),
                    .observer = &observer,
                    .seed = options.common.seed,
                    .samples = options.samples < graph.order() ? options.samples : 0});
  set_part(options, found.about, session);
  if (!found.engine.name.empty())
    session.set_engine(found.engine);
  else if (options.common.engine != "auto")  // nothing is searched: an error all the same
    make_engine(options.common.engine, Graph(), session.engine_options());
  report::TableReport answer{.file = options.output,
                             .format = name_of(format),
                             .rows = found.table.rows(),
                             .searches = found.searches,
                             .columns = {},
                             .incomplete = {},
                             .samples = options.samples < graph.order() ? options.samples : 0};
  for (const Column& column : found.table.columns) answer.columns.push_back(column.name);
  for (const VertexMeasure measure : found.incomplete)
    answer.incomplete.push_back(name_of(measure));
  session.finish_phase("compute");
  const bool is_alone = options.output == "-";
  if (!answer.finished()) {
    if (!is_alone) session.context().unwritten = options.output;
    print_or_say(session, answer, is_alone);
    return kStoppedEarly;
  }
  write_table(found.table, options.output, format);
  session.finish_phase("write");
  print_or_say(session, answer, is_alone);
  return kExact;
}

}  // namespace

std::function<ExitCode()> configure_table(Command command) {
  auto options = std::make_shared<Options>();
  CommonOptions& common = options->common;
  common.add_source_to(command);
  common.add_engine_to(command);
  common.add_answer_to(command);
  common.add_directed_to(command);
  common.add_weighted_to(command);
  common.add_disconnected_to(command, {"reachable", "largest", "error"});
  std::vector<std::string> names;
  for (const auto& [name, measure] : kMeasures) names.push_back(name);
  command
      .add_option("--measures", options->measures,
                  fmt::format("the columns, with commas between them: {}", fmt::join(names, ", ")))
      .split_at(',')
      .one_of(names)
      .show_default();
  add_target(command, "--output", options->output,
             "the file to write: .csv, .tsv, .json or .npz; - is standard output")
      .show_default();
  command.add_choice("--to", options->format,
                     "csv, tsv, json or npz; by default as the file's name says, csv on standard "
                     "output",
                     kFormats);
  options->samples_option =
      command.add_option("--samples", options->samples,
                         "betweenness: an estimate from so many sources, scaled up; 0: exact");
  return [options] {
    const auto& asked = options->measures;
    options->common.draws = std::find(asked.begin(), asked.end(), "betweenness") != asked.end();
    return run(*options);
  };
}

}  // namespace antipode::cli
