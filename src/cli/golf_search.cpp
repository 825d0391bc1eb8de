// antipode golf search
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/checkpoint.hpp"
#include "cli/golf.hpp"
#include "cli/progress_line.hpp"
#include "cli/terminal.hpp"

namespace antipode::cli {

namespace {

struct SearchOptions {
  golf::Options golf;
  CheckpointOptions checkpoint;
  std::string engine = "auto", output, trace, start;
  unsigned threads = 0;
  std::uint64_t memory_limit = 0;
  bool json = false, quiet = false;
};

// One line that is written over, or one every few seconds where there is no terminal.
class Display {
 public:
  explicit Display(bool quiet) : quiet_(quiet), terminal_(is_terminal(STDERR_FILENO)) {}
  ~Display() { erase_line(); }
  void show(const golf::Search& search, double seconds, double bound) {
    if (quiet_ || seconds - last_ < (terminal_ ? 0.2 : 5)) return;
    last_ = seconds;
    const golf::Chain& best = search.best();
    const double average = golf::average_of(best.best, best.best_score).value();
    const double rate = static_cast<double>(search.evaluations()) / std::max(seconds, 1e-9);
    if (terminal_)
      return draw(
          {.what = fmt::format("diameter {}, average {:.6f} (gap {:.6f})", best.best_score.diameter,
                               average, average - bound),
           .share = search.progress(),
           .details = {
               fmt::format("part {}, {} chains", search.part_size(), search.chains()),
               fmt::format("{:.1f} % taken", 100 * search.acceptance()),
               fmt::format("temperature {:.3g}", search.temperature()),
               fmt::format("{:.0f} evaluations/s", rate),
               time_left(seconds / std::max(search.progress(), 1e-9) * (1 - search.progress()))}});
    say(fmt::format(
        "part {}, {} chains: diameter {}, average {:.6f} (gap {:.6f}), {:.0f} evaluations/s, "
        "temperature {:.3g}, {:.1f} % taken, {:.0f} %\n",
        search.part_size(), search.chains(), best.best_score.diameter, average, average - bound,
        rate, search.temperature(), 100 * search.acceptance(), 100 * search.progress()));
  }

 private:
  bool quiet_, terminal_;
  double last_ = 0;
};

std::string key_of(const SearchOptions& options) {
  const golf::Options& g = options.golf;
  return fmt::format(
      "golf search of order {}, degree {}, part {}, chains {}, steps {}, seconds {}, seed {}, "
      "group {}, diameter {}, start '{}', engine {}",
      g.order, g.degree, g.part, g.chains, g.steps, g.seconds, g.seed, fmt::join(g.group, " "),
      g.diameter, options.start, options.engine);
}

// A part to begin with must be one of the order and degree asked for.
golf::Part start_of(const SearchOptions& options) {
  if (options.start.empty()) return {};
  CommonOptions silent;
  silent.quiet = true;
  const LoadWatch watch(silent);
  const Graph graph = load_graph(options.start).graph;
  const golf::Part part = graph.part() != nullptr ? *graph.part() : golf::whole_part(graph);
  if (part.order != options.golf.order ||
      (options.golf.part != 0 && part.size != options.golf.part))
    throw InputError(
        options.start,
        fmt::format("has {} vertices and a part of {}, which is not what was asked for", part.order,
                    part.size));
  if (part.edges.empty()) throw InputError(options.start, "has no edges to change");
  const auto ends = part.ends();
  const auto most = std::max_element(ends.begin(), ends.end());
  check_degree(options.start, *most, options.golf.degree,
               fmt::format("{} of the part", most - ends.begin()));
  for (const golf::PartEdge& e : part.edges)
    if (e.from == e.to && part.negative(e.shift) == e.shift)
      throw InputError(options.start, fmt::format("the edge of {} with itself by shift {} is its "
                                                  "own way back: a search does not start from such",
                                                  e.from, e.shift));
  return part;
}

// Writes the best part so far to --output. A failure is a warning, and is tried again with the next
// better part and at the end: a full disk does not end a search.
class BestFile {
 public:
  explicit BestFile(const std::string& path) : path_(path) {}
  void offer(const golf::Chain& best) {
    if (path_.empty() || !(best.best_score < offered_)) return;
    offered_ = best.best_score;
    if (!write(best)) say(fmt::format("warning: {}; the search goes on\n", reason_of(failure_)));
  }
  // Whether the file has the best part of all.
  bool finish(const golf::Chain& best) {
    return path_.empty() || failure_ == nullptr || write(best);
  }
  void rethrow() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  bool write(const golf::Chain& best) {
    failure_ = nullptr;
    try {
      write_text(path_, to_text(best.best));
    } catch (const ClosedPipe&) {  // the reader is gone
      throw;
    } catch (const DeviceError&) {
      failure_ = std::current_exception();
    }
    return failure_ == nullptr;
  }
  static std::string reason_of(const std::exception_ptr& failure) try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }

  std::string path_;
  golf::PartScore offered_{.unreached = ~std::uint64_t{0}};
  std::exception_ptr failure_;
};

// The options of the search, checked before anything is tried.
golf::Options checked_options(const SearchOptions& options) {
  golf::Options golf = options.golf;
  golf.start = start_of(options);
  if (golf.part == 0 && !golf.group.empty())
    throw UsageError("a group of shifts needs a part: give --part, too");
  // A size that does not divide the order is an error here.
  if (golf.part != 0) golf::make_part(golf.order, golf.part, golf.group);
  if (golf.degree >= golf.order)
    throw UsageError(fmt::format("degree {} in a graph of {} vertices: at most {}", golf.degree,
                                 golf.order, golf.order - 1));
  return golf;
}

// The lines of --trace.
class Trace {
 public:
  explicit Trace(const std::string& path) : path_(path) {}
  void add(const golf::Search& search) {
    if (path_.empty()) return;
    const golf::Chain& best = search.best();
    lines_ += fmt::format("{},{},{},{},{}\n", search.evaluations() / search.chains(),
                          search.temperature(), search.mean_average(), best.best_score.diameter,
                          golf::average_of(best.best, best.best_score).value());
  }
  void write() const {
    if (!path_.empty()) write_text(path_, lines_);
  }

 private:
  std::string path_, lines_ = "step,temperature,mean_average,best_diameter,best_average\n";
};

ExitCode run_search(const SearchOptions& options) {
  using Clock = std::chrono::steady_clock;
  catch_interrupts();
  set_memory_limit(options.memory_limit);
  CommonOptions common;
  common.quiet = true;
  LiveObserver observer("golf", common);
  golf::Options golf = checked_options(options);
  const golf::MooreBounds bounds = golf::moore_bounds(golf.order, golf.degree);
  const auto engine = golf::make_part_engine(options.engine, options.threads);
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  golf.stop = [&] { return observer.stop(); };
  CheckpointFile checkpoint(options.checkpoint, key_of(options));
  const auto saved = checkpoint.load();
  auto search = saved.empty() ? golf::Search(*engine, golf) : golf::Search(*engine, golf, saved);
  const std::uint64_t before = search.evaluations();
  Display display(options.quiet);
  BestFile output(options.output);
  Trace trace(options.trace);
  for (bool more = true; more;) {
    more = search.round(0.3);
    output.offer(search.best());
    trace.add(search);
    const bool stopped = observer.stop();
    if (checkpoint.is_active() && (stopped || checkpoint.is_due())) checkpoint.save(search.state());
    display.show(search, seconds(), bounds.average.value());
    if (stopped) break;
  }
  const bool finished = search.progress() >= 1, is_written = output.finish(search.best());
  if (!is_written && checkpoint.is_active()) checkpoint.save(search.state());
  report::GolfReport answer = to_report(search.best().best, search.best().best_score,
                                        is_written ? options.output : std::string(), golf.degree);
  answer.effort = {.evaluations = search.evaluations() - before,
                   .chains = search.chains(),
                   .seconds = seconds(),
                   .engine = std::string(engine->name()),
                   .finished = finished};
  write_each({[&] {
                print_answer(report::render(answer, style_of(options.json)),
                             style_of(options.json));
              },
              [&] { trace.write(); }, [&] { output.rethrow(); }});
  if (finished) checkpoint.remove();
  return finished ? kExact : kStoppedEarly;
}

}  // namespace

void configure_golf_search(Command command, const Chosen& chosen) {
  Command sub;
  auto search = add_golf_verb<SearchOptions>(
      command, "search", "anneal parts towards a small diameter and average distance", chosen,
      run_search, sub);
  sub.add_option("--order", search->golf.order, "vertices").required().positive();
  sub.add_option("--degree", search->golf.degree, "edges at each, at most").required().positive();
  sub.add_option("--part", search->golf.part, "vertices of the part; 0: some sizes are tried")
      .show_default();
  sub.add_option(
         "--group", search->golf.group,
         "shifts: sizes of cyclic groups whose product is order / part, as 100,50; by default one")
      .split_at(',');
  sub.add_option("--chains", search->golf.chains,
                 "walks at a time; 0: as many as the engine keeps going")
      .between(0, 1 << 20)
      .show_default();
  sub.add_option("--time", search->golf.seconds, "seconds").between(0.001, 1e9).show_default();
  sub.add_option(
      "--steps", search->golf.steps,
      "of each chain, instead of a time: the same seed and --chains give the same graph");
  sub.add_option("--seed", search->golf.seed, "for all random choices").show_default();
  sub.add_option("--engine", search->engine, "auto, or one that 'antipode engines' lists")
      .show_default();
  sub.add_option("--threads", search->threads, "threads to use; 0: one per core")
      .between(0u, 4096u);
  add_memory_limit(sub, search->memory_limit);
  sub.add_option("--diameter", search->golf.diameter, "to aim for; 0: what a short trial reaches")
      .show_default();
  add_source(sub, "--start", search->start, "a part file to begin with, or a graph");
  add_target(sub, "--output", search->output,
             "a part file, written whenever there is a better one");
  add_target(sub, "--trace", search->trace, "a CSV of the annealing; bench/golf.py draws it");
  search->checkpoint.add_to(sub, CheckpointOptions::Estimate::no);
  sub.add_flag("--json", search->json, "answer in JSON");
  sub.add_flag("--quiet", search->quiet, "no progress");
}

}  // namespace antipode::cli
