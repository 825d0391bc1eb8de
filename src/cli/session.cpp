#include "cli/session.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <map>
#include <optional>

#include "antipode/error.hpp"
#include "graph/limits.hpp"

namespace antipode::cli {

namespace {

std::atomic<std::int64_t> interrupted_at{0};  // milliseconds; 0: not yet
static_assert(
    std::atomic<std::int64_t>::is_always_lock_free);  // a signal handler may touch nothing else

// The first Ctrl-C asks for the bounds reached so far; a later one ends the program. Programs that
// pass signals on often deliver one twice, to the process and to its group: what follows within
// half a second is the same Ctrl-C.
void on_interrupt(int signal) {
  constexpr std::int64_t kSame = 500;
  struct timespec time {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000 + 1;
  std::int64_t first = 0;
  if (interrupted_at.compare_exchange_strong(first, now) || now - first < kSame) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal != SIGHUP || before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);  // nohup means it
  }
}

namespace {

const std::chrono::steady_clock::time_point program_start = std::chrono::steady_clock::now();

std::uint64_t peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

void CommonOptions::add_to(CLI::App& command) {
  add_source_to(command);
  add_engine_to(command);
  add_answer_to(command);
  add_order_to(command);
}

void CommonOptions::add_source_to(CLI::App& command) {
  command_ = &command;
  add_source(command, "graph", graph, "a file, - for standard input, or gen:KIND?key=value&…")
      ->required();
  command
      .add_option(
          "-t,--threads", threads,
          "threads to use; 0: OMP_NUM_THREADS, else one for each processor (small graphs: one)")
      ->check(CLI::Range(0u, 4096u));
  command.add_option("--seed", seed, "for random choices, and for gen: graphs that name no seed");
  command
      .add_option("--time-limit", time_limit,
                  "seconds from the start; then the bounds reached so far")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--memory-limit", memory_limit, "bytes (k, M, G understood); more is refused")
      ->transform(CLI::AsSizeValue(true));
  command.add_option("--format", format, "of the file; by default recognized");
  command.add_option("--columns", columns,
                     "of a table: source,target[,weight], by name in its header or number from 1");
  command.add_flag("-q,--quiet", quiet, "no progress and no notices");
}

void CommonOptions::add_engine_to(CLI::App& command) {
  command.add_option("--engine", engine, "auto, or one that 'antipode engines' lists")
      ->capture_default_str();
  command
      .add_option("--kernel", kernel,
                  "how the engine searches: auto, or one that 'antipode engines' lists")
      ->capture_default_str();
  command.add_option(
      "--device", device,
      "of the opencl engine: a number or a part of a name that 'antipode engines' lists");
  command
      .add_option("--layout", layout,
                  "adjacency of the cuda engine's named kernels: lists or matrix")
      ->check(CLI::IsMember({"lists", "matrix"}))
      ->capture_default_str();
}

void CommonOptions::add_answer_to(CLI::App& command) {
  command.add_flag("--json", json, "answer in JSON");
}

void CommonOptions::add_order_to(CLI::App& command) {
  command
      .add_option("--order", order,
                  "of the vertices in memory: as-read, degree, bfs or rcm; no answer shows it")
      ->capture_default_str();
}

void refuse_given(std::initializer_list<const CLI::Option*> options, const std::string& only_with) {
  for (const CLI::Option* option : options)
    if (option->count() > 0)
      throw UsageError(fmt::format("{} goes only with {}", option->get_name(), only_with));
}

constexpr const char *kTarget = "TARGET", *kSource = "FILE";

CLI::Option* add_target(CLI::App& command, const std::string& name, std::string& path,
                        const std::string& text) {
  return command.add_option(name, path, text)->type_name(kTarget);
}
CLI::Option* add_source(CLI::App& command, const std::string& name, std::string& path,
                        const std::string& text) {
  return command.add_option(name, path, text)->type_name(kSource);
}

namespace {

// The regular file behind a standard stream, if there is one.
std::optional<FileIdentity> file_behind(int stream) {
  struct stat status {};
  if (fstat(stream, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino, {}};
}

}  // namespace

void check_targets(const CLI::App& command) {
  std::map<FileIdentity, std::string> options;  // by the file they lead to
  const auto given = [&](const char* kind) {
    return command.get_options([=](const CLI::Option* each) {
      return each->get_type_name() == kind && each->count() > 0;
    });
  };
  const auto place = [](const CLI::Option* option) { return option->as<std::string>(); };
  const auto is_file = [](const std::string& path) { return !path.empty() && path != "-"; };
  for (const CLI::Option* source : given(kSource)) {
    const std::string path = place(source);
    if (is_file(path) && !path.starts_with("gen:"))
      options.emplace(identity_of(path), source->get_name());
    if (const auto in = file_behind(STDIN_FILENO); path == "-" && in)
      options.emplace(*in, source->get_name());
  }
  if (const auto out = file_behind(STDOUT_FILENO)) options.emplace(*out, "standard output");
  for (const CLI::Option* target : given(kTarget)) {
    const std::string path = place(target);
    if (!is_file(path)) continue;
    const auto [other, is_new] = options.emplace(identity_of(path), target->get_name());
    if (!is_new)
      throw UsageError(
          fmt::format("{} and {} name the same file, {}", other->second, target->get_name(), path));
    check_target(path);
  }
  for (const CLI::App* each : command.get_subcommands()) check_targets(*each);
}

void CommonOptions::add_disconnected_to(CLI::App& command, std::vector<std::string> choices,
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
  command.add_option("--disconnected", disconnected, text)
      ->check(CLI::IsMember(all).description(""))
      ->capture_default_str();
}

void CommonOptions::fit_policy() {
  if (directed && !directed_policies_.empty()) {
    policies = directed_policies_;
    if (command_->count("--disconnected") == 0) disconnected = policies.front();
  }
  if (std::find(policies.begin(), policies.end(), disconnected) == policies.end())
    throw UsageError(fmt::format("--disconnected {} goes only with{} --directed; choose {}",
                                 disconnected, directed ? "out" : "", fmt::join(policies, ", ")));
}

void CommonOptions::add_directed_to(CLI::App& command) {
  takes_directed = true;
  command.add_flag("--directed", directed,
                   "edges go from their first vertex to the second, and so do distances");
}

void CommonOptions::add_weighted_to(CLI::App& command) {
  takes_weighted = true;
  command.add_flag("--weighted", weighted, "distances are sums of the lengths of edges");
}

void CommonOptions::add_estimate_to(CLI::App& command) {
  command.add_flag("--estimate", estimate,
                   "only say how long it would take and how much memory, from a small part of it");
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
    refuse_given({command_->get_option("--seed")},
                 "random choices or a gen: graph that names no seed");
  if (graph.starts_with("gen:")) refuse_given({command_->get_option("--format")}, "a file");
  if (!weighted) return;
  for (const char* name : {"--kernel", "--layout", "--device"})
    if (const CLI::Option* option = command_->get_option_no_throw(name); option != nullptr)
      refuse_given({option}, "edges of length 1: leave --weighted out");
}

void say(std::string_view text) {
  constexpr std::string_view kClear = "\r\033[K";  // of a line that is written again and again
  const std::size_t own = text.starts_with(kClear) ? kClear.size() : 0;
  const std::string rest = printable(text.substr(own), LineEnds::kept);
  std::fwrite(text.data(), 1, own, stderr);
  std::fwrite(rest.data(), 1, rest.size(), stderr);
  std::fflush(stderr);
}

bool is_stopped(double time_limit) {
  return interrupted_at != 0 ||
         (time_limit > 0 &&
          std::chrono::duration<double>(std::chrono::steady_clock::now() - program_start).count() >=
              time_limit);
}

LoadWatch::LoadWatch(const CommonOptions& options)
    : limit_(options.time_limit), quiet_(options.quiet), terminal_(isatty(STDERR_FILENO) == 1) {
  set_load_observer(this);
}

LoadWatch::~LoadWatch() {
  set_load_observer(nullptr);
  if (shown_ && terminal_) say("\r\033[K");
}

void LoadWatch::progress(const LoadProgress& progress) {
  const std::unique_lock one(showing_, std::try_to_lock);
  const auto now = Clock::now();
  if (quiet_ || !one) return;
  const bool is_next =
      shown_ && phase_ != progress.phase;  // the phases after a long one are shown, too
  if (!is_next && std::chrono::duration<double>(now - last_).count() < (terminal_ ? 0.1 : 2.0))
    return;
  last_ = now;
  shown_ = true;
  phase_ = progress.phase;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string text = progress.phase;
  if (progress.bytes > 0)
    text += fmt::format(" {:.1f} MB ({:.1f} MB/s)", static_cast<double>(progress.bytes) / 1e6,
                        static_cast<double>(progress.bytes) / 1e6 / seconds);
  if (progress.edges > 0)
    text += fmt::format(" {} edges ({:.1f} million/s)", progress.edges,
                        static_cast<double>(progress.edges) / 1e6 / seconds);
  say(fmt::format("{}{}, {:.1f} s{}", terminal_ ? "\r\033[K" : "", text, seconds,
                  terminal_ ? "" : "\n"));
}

LiveObserver::LiveObserver(std::string_view measure, const CommonOptions& options)
    : measure_(measure),
      quiet_(options.quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      limit_(options.time_limit) {}

LiveObserver::~LiveObserver() {
  if (shown_ && terminal_) say("\r\033[K");
}

void LiveObserver::progress(const Progress& progress) {
  if (first_ && progress.upper == 0) {
    start_ = Clock::now();
    before_ = progress.searches;
  }
  first_ = false;
  const auto now = Clock::now();
  const double since =
      std::chrono::duration<double>(now - (last_ == Clock::time_point{} ? start_ : last_)).count();
  if (quiet_ || since < (terminal_ ? 0.1 : 2.0)) return;
  last_ = now;
  shown_ = true;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  // What a checkpoint brought was not done in this time.
  const double rate = static_cast<double>(progress.searches - before_) / std::max(elapsed, 1e-9);
  // What is bounded ends when the bounds meet; what goes through all sources ends when none is
  // left.
  const bool bounded = progress.upper != 0;
  const std::string bounds =
      bounded ? fmt::format(" in [{}, {}]", progress.lower, progress.upper) : "";
  const std::string remaining =
      bounded ? ""
              : fmt::format(", about {:.0f} s more", progress.candidates / std::max(rate, 1e-9));
  say(fmt::format("{}{}{}, {} searches ({:.1f}/s), {} left, {:.1f} s{}{}",
                  terminal_ ? "\r\033[K" : "", measure_, bounds, progress.searches, rate,
                  progress.candidates, elapsed, remaining, terminal_ ? "" : "\n"));
}

// ANTIPODE_STOP=computing stops as Ctrl-C would as soon as the graph is there, so that tests need
// no clock.
bool LiveObserver::stop() {
  static const char* const stop = std::getenv("ANTIPODE_STOP");
  return is_stopped(limit_) || (stop != nullptr && std::string_view(stop) == "computing");
}

void print_out(std::string_view text) { write_text("-", text); }

void write_each(std::initializer_list<std::function<void()>> outputs) {
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

void notice(const CommonOptions& options, std::string_view text) {
  if (!options.quiet) say(fmt::format("note: {}\n", text));
}

Session::Session(std::string_view measure, const CommonOptions& options, Extent extent)
    : options_(options) {
  options.refuse_unused();
  constexpr std::uint64_t kSample = std::uint64_t{64}
                                    << 20;  // bytes of text, read in about a second
  catch_interrupts();
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
  return options_.disconnected == "largest" && !is_connected() ? largest_component()
                                                               : whole_graph();
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

void Session::look_elsewhere(Distance lower, Distance upper) {
  if (is_connected()) return;
  context_.elsewhere = wider_component(loaded_.graph, components_, lower);
  context_.surely_wider = context_.elsewhere && context_.elsewhere->at_least > upper;
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

std::string Session::proof(Engine& engine, const std::string& file,
                           const std::function<Certificate()>& certify) {
  LiveObserver observer("certificate", options_);
  std::string text;
  engine.interrupt_when([&] { return observer.stop(); });
  try {
    text = report::to_json(certify());
    context_.certificate = file;
  } catch (const Interrupted&) {
    say("no certificate is written: it was stopped before it was complete\n");
  }
  engine.interrupt_when(nullptr);
  finish_phase("certify");
  return text;
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

void Session::complete_context() {
  double total = 0;
  for (const auto& [phase, seconds] : context_.seconds) total += seconds;
  context_.seconds.emplace_back("total", total);
  context_.peak_memory = peak_memory();
}

}  // namespace antipode::cli
