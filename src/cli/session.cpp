#include "cli/session.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "antipode/error.hpp"
#include "cli/progress_line.hpp"
#include "cli/terminal.hpp"
#include "graph/limits.hpp"

namespace antipode::cli {

namespace {

std::uint64_t peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

void print_out(std::string_view text) {
  const AnswerWatch watch;
  erase_line();
  write_text("-", text);
}

// Headlines begin in the first column, and keys in the third.
void print_answer(std::string_view text, report::Style style) {
  if (style != report::Style::text || !takes_color(STDOUT_FILENO)) return print_out(text);
  std::string result;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t key_end = std::min(line.find(' ', 2), line.size());
    if (!line.empty() && line[0] != ' ')
      result += styled(line, Style::bold, STDOUT_FILENO);
    else if (line.size() > 2 && line[2] >= 'a' && line[2] <= 'z')
      result += styled(line.substr(0, key_end), Style::dim, STDOUT_FILENO) +
                std::string(line.substr(key_end));
    else
      result += line;
    text.remove_prefix(line.size());
    if (text.starts_with('\n')) {
      result += '\n';
      text.remove_prefix(1);
    }
  }
  print_out(result);
}

void write_each(std::initializer_list<std::function<void()>> outputs) {
  const AnswerWatch watch;
  std::exception_ptr failure, closed;
  for (const auto& output : outputs) try {
      output();
    } catch (const ClosedPipe&) {
      closed = std::current_exception();
    } catch (...) {
      if (failure == nullptr) failure = std::current_exception();
    }
  if (failure != nullptr) std::rethrow_exception(failure);
  if (closed != nullptr) std::rethrow_exception(closed);
}

void refuse_entries(const CommonOptions& options, std::uint64_t entries) {
  constexpr std::uint64_t kText = 400, kJson = 1400;  // bytes an entry while it is written
  refuse_bytes(entries * (options.json ? kJson : kText), fmt::format("{} entries", entries));
}

std::string vertex_lines(const Graph& graph, const std::function<std::string(Vertex)>& text_of,
                         std::string_view none) {
  std::vector<Vertex> at(graph.labels().count(), kNoVertex);
  for (Vertex v = 0; v < graph.order(); ++v) at[graph.origin(v)] = v;
  std::string text;
  for (Vertex origin = 0; origin < at.size(); ++origin)
    text += fmt::format("{}\t{}\n", graph.labels().of(origin),
                        at[origin] == kNoVertex ? std::string(none) : text_of(at[origin]));
  return text;
}

Session::Session(std::string_view measure, const CommonOptions& options, Extent extent)
    : options_(options) {
  options.refuse_unused();
  constexpr std::uint64_t kSample = std::uint64_t{64}
                                    << 20;  // bytes of text, read in about a second
  catch_interrupts();
  set_limit_of_answers(options.time_limit);
  set_threads(options.threads);
  set_memory_limit(options.memory_limit);
  vertex_order(options.order);  // a wrong name is said before anything is read
  {
    const LoadWatch watch(options);
    const Direction direction = options.directed ? Direction::forward : Direction::none;
    loaded_ =
        load_graph(options.place(), {.format = options.format,
                                     .direction = direction,
                                     .columns = options.columns,
                                     .lengths = options.weighted ? Lengths::used : Lengths::ignored,
                                     .sample = extent == Extent::sample ? kSample : 0});
    components_ = antipode::components(loaded_.graph);
  }
  context_.measure = measure;
  context_.graph_name = loaded_.name;
  context_.format = loaded_.format;
  context_.directed = options.directed;
  context_.weighted = options.weighted;
  context_.unit = loaded_.graph.unit();
  context_.vertices = context_.used_vertices = loaded_.graph.order();
  context_.edges = context_.used_edges = loaded_.graph.size();
  context_.components = components_.count();
  context_.loops = loaded_.loops;
  context_.repeats = loaded_.repeats;
  context_.lengths_dropped = loaded_.lengths_dropped;
  context_.directions_dropped = loaded_.directions_dropped;
  context_.takes_directed = options.takes_directed;
  context_.whole_path = options.whole_path;
  if (loaded_.edge_share < 1)
    loaded_.notices.push_back(
        fmt::format("estimated from {:.1f} % of the edges; times and memory are scaled up",
                    100 * loaded_.edge_share));
  context_.sample = std::min(loaded_.edge_share, 1.0);
  context_.notices = loaded_.notices;
  for (const auto& text : loaded_.notices) notice(options, text);
  if (loaded_.loops + loaded_.repeats > 0)
    notice(options,
           fmt::format("dropped {} loops and {} repeated edges", loaded_.loops, loaded_.repeats));
  context_.seconds = {{"load", loaded_.read_seconds}, {"build", lap() - loaded_.read_seconds}};
}

Graph Session::component(Vertex which) {
  const Graph part = component_subgraph(loaded_.graph, components_, which);
  return reorder(part, vertex_order(options_.order));
}

const Graph& Session::whole_graph() const {
  if (!is_connected() && options_.disconnected == "error")
    throw InputError(
        loaded_.name,
        fmt::format("the graph has {} components; choose --disconnected {}", components_.count(),
                    fmt::join(options_.policies.begin(), options_.policies.end() - 1, " or ")));
  if (options_.disconnected == "error" && options_.directed &&
      !is_strongly_connected(loaded_.graph))
    throw InputError(
        loaded_.name,
        fmt::format("not every vertex reaches every other along the arcs; choose --disconnected {}",
                    fmt::join(options_.policies.begin(), options_.policies.end() - 1, " or ")));
  return loaded_.graph;
}

Graph Session::asked_graph() {
  const Graph& graph = whole_graph();
  if (options_.disconnected != "largest") return graph;
  if (options_.directed) return largest_strong_component();
  return is_connected() ? graph : largest_component();
}

Graph Session::largest_component(bool to_prove) {
  whole_graph();
  const Graph part = component(components_.largest());
  context_.used_vertices = part.order();
  context_.used_edges = part.size();
  if (!is_connected())
    notice(options_,
           fmt::format("{} components; the answer is about the largest, {} of {} vertices",
                       components_.count(), part.order(), loaded_.graph.order()));
  return to_prove ? part.materialized() : part;
}

Graph Session::largest_strong_component() {
  const Graph& graph = whole_graph();
  const Components strong = strong_components(graph);
  if (strong.count() <= 1) return reorder(graph, vertex_order(options_.order));
  const Graph part =
      reorder(component_subgraph(graph, strong, strong.largest()), vertex_order(options_.order));
  context_.strong_components = strong.count();
  context_.used_vertices = part.order();
  context_.used_edges = part.size();
  notice(options_,
         fmt::format("{} strong components; the answer is about the largest, {} of {} vertices",
                     strong.count(), part.order(), graph.order()));
  return part;
}

Graph Session::path_graph() {
  const Graph& graph = whole_graph();
  if (!options_.directed) return largest_component();
  return options_.disconnected == "largest" ? largest_strong_component()
                                            : reorder(graph, vertex_order(options_.order));
}

void Session::look_elsewhere(Distance lower, Distance upper) {
  if (is_connected()) return;
  context_.elsewhere = wider_component(loaded_.graph, components_, lower,
                                       [this] { return is_stopped(options_.time_limit); });
  context_.surely_wider = context_.elsewhere && context_.elsewhere->at_least > upper;
  finish_phase("others");
}

EngineOptions Session::engine_options() const {
  return {.threads = options_.threads,
          .memory_limit = options_.memory_limit,
          .kernel = options_.kernel,
          .layout = options_.layout,
          .device = options_.device};
}

void Session::set_engine(const EngineInfo& info) {
  context_.engine = info.name;
  context_.engine_detail = info.detail;
}

std::unique_ptr<Engine> Session::engine_for(const Graph& graph) {
  auto engine = make_engine(options_.engine, graph, engine_options());
  set_engine(engine->info());
  return engine;
}

std::unique_ptr<PathEngine> Session::path_engine_for(const Graph& graph) {
  auto engine = make_path_engine(options_.engine, graph, engine_options());
  set_engine(engine->info());
  return engine;
}

std::string Session::prove(const std::string& file,
                           const std::function<std::string(Observer&)>& certify) {
  LiveObserver observer("certificate", options_);
  std::string text;
  try {
    text = certify(observer);
    context_.certificate = file;
  } catch (const Interrupted&) {
    say("no certificate is written: it was stopped before it was complete\n");
  }
  finish_phase("certify");
  return text;
}

std::string Session::proof(Engine& engine, const std::string& file,
                           const std::function<Certificate()>& certify) {
  std::string text = prove(file, [&](Observer& observer) {
    engine.interrupt_when([&] { return observer.stop(); });
    return report::to_json(certify());
  });
  engine.interrupt_when(nullptr);
  return text;
}

std::string Session::proof(const std::string& file,
                           const std::function<PathCertificate(Observer&)>& certify) {
  return prove(file, [&](Observer& observer) { return report::to_json(certify(observer)); });
}

std::uint64_t Session::scaled_memory() const {
  if (cost_factor() <= 1) return peak_memory();
  // Rows, and the list of edges they are built from; what an engine has for each vertex.
  constexpr double kVertex = 16 + 32, kEdge = 24;
  return static_cast<std::uint64_t>(kVertex * loaded_.graph.order() * source_factor() +
                                    kEdge * static_cast<double>(loaded_.graph.size()) *
                                        cost_factor());
}

double Session::lap() {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  return seconds;
}

void Session::finish_phase(const char* name) { context_.seconds.emplace_back(name, lap()); }

bool Session::is_output_alone() const {
  const auto output = options_.command().find("--output");
  return output && output->is_given() && output->value() == "-";
}

std::string Session::opening() const {
  const bool is_first = options_.printed++ == 0;
  if (options_.style() == report::Style::text) return is_first ? "" : "\n";
  return is_first ? report::csv_header(options_.form(), context_.measure) : "";
}

void Session::complete_context() {
  double total = 0;
  for (const auto& [phase, seconds] : context_.seconds) total += seconds;
  context_.seconds.emplace_back("total", total);
  context_.peak_memory = peak_memory();
}

}  // namespace antipode::cli
