// What the verbs that answer a question share: the options everyone takes, the graph they load, the
// clock, the progress display, Ctrl-C.
#pragma once

#include <CLI/CLI.hpp>

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>

#include "antipode/certificate.hpp"
#include "antipode/engine.hpp"
#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "antipode/path_engine.hpp"
#include "cli/verbs.hpp"
#include "report/report.hpp"

namespace antipode::cli {

struct CommonOptions {
  std::string graph;
  std::string engine = "auto";
  std::string kernel = "auto", layout = "lists", device;
  unsigned threads = 0;
  bool json = false, quiet = false;
  std::uint64_t seed = 1;
  double time_limit = 0;
  std::uint64_t memory_limit = 0;
  std::string format = "auto", columns;
  std::string disconnected;  // one of the policies that the verb has; empty: it has none
  std::vector<std::string> policies;
  std::string order = "as-read";
  bool directed = false, takes_directed = false, estimate = false;
  bool weighted = false, takes_weighted = false;
  bool draws = false;  // the verb makes random choices, so that a seed means something without gen:

  void add_to(CLI::App& command);  // all of the next four
  void add_source_to(CLI::App& command);
  void add_engine_to(CLI::App& command);
  void add_answer_to(CLI::App& command);
  void add_order_to(CLI::App& command);
  void add_directed_to(CLI::App& command);
  void add_weighted_to(CLI::App& command);
  bool has_paths() const { return directed || weighted; }  // what a PathEngine answers
  // What to do with a graph of several parts; the first by default, "error" last. Where other
  // choices are given for --directed, call fit_policy() before the run.
  void add_disconnected_to(CLI::App& command, std::vector<std::string> choices,
                           std::vector<std::string> directed_choices = {});
  void fit_policy();  // an error for a policy that does not go with the directions asked for
  void add_estimate_to(CLI::App& command);
  std::string place() const;   // of the graph: its file, or what is to be generated, with --seed
  void refuse_unused() const;  // an error for an option given that this graph has no use for
  report::Style style() const { return json ? report::Style::json : report::Style::text; }

 private:
  bool takes_seed() const;  // a generator that is named no seed
  std::vector<std::string> directed_policies_;
  const CLI::App* command_ = nullptr;
};

// Options that were given and go only with something else, as in "--strategy takes-kosters".
void refuse_given(std::initializer_list<const CLI::Option*> options, const std::string& only_with);

// Options that name a file to write or to read. Before anything is computed it is checked that
// those to write can be written, and that none of them is another file of the command.
CLI::Option* add_target(CLI::App& command, const std::string& name, std::string& path,
                        const std::string& text);
CLI::Option* add_source(CLI::App& command, const std::string& name, std::string& path,
                        const std::string& text);

// Ctrl-C, a signal to end, or a limit of time, counted from the start of the program.
bool is_stopped(double time_limit);

// While it is there, reading and building show how far they are, and end with Interrupted where
// they are to stop.
class LoadWatch final : public LoadObserver {
 public:
  explicit LoadWatch(const CommonOptions& options);
  ~LoadWatch() override;
  LoadWatch(const LoadWatch&) = delete;
  LoadWatch& operator=(const LoadWatch&) = delete;
  bool stop() override { return is_stopped(limit_); }
  void progress(const LoadProgress& progress) override;

 private:
  using Clock = std::chrono::steady_clock;

  double limit_;
  bool quiet_, terminal_, shown_ = false;
  std::string phase_;  // shown last
  std::mutex showing_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

// Shows progress, and says stop after --time-limit or Ctrl-C.
class LiveObserver final : public Observer {
 public:
  LiveObserver(std::string_view measure, const CommonOptions& options);
  ~LiveObserver() override;
  void progress(const Progress& progress) override;
  bool stop() override;

 private:
  using Clock = std::chrono::steady_clock;

  std::string measure_;
  bool quiet_, terminal_, shown_ = false, first_ = true;
  std::uint64_t before_ = 0;  // searches done at the first word of progress
  Clock::time_point start_ = Clock::now(), last_{};
  double limit_;
};

// A graph loaded, its components known, ready for an engine.
class Session {
 public:
  enum class Extent { whole, sample };  // a sample of what is large: for estimates
  Session(std::string_view measure, const CommonOptions& options, Extent extent = Extent::whole);
  // How much longer a search of the whole takes than one of the sample, and how many more vertices
  // there are.
  double cost_factor() const { return 1 / std::max(loaded_.edge_share, 1e-9); }
  std::uint64_t scaled_memory() const;  // what the whole would take, from what the sample has taken
  double source_factor() const { return 1 / std::max(loaded_.vertex_share, 1e-9); }

  const Graph& whole() const { return loaded_.graph; }
  const Components& components() const { return components_; }
  const Graph& whole_graph()
      const;            // an error if it is not connected and --disconnected asks for one
  Graph asked_graph();  // all of it, or its largest component where --disconnected says so
  bool is_connected() const { return components_.count() <= 1; }
  // The component by number, in the order asked for, and an engine that holds it.
  Graph component(Vertex which);
  std::unique_ptr<Engine> engine_for(const Graph& graph);
  // For questions that --directed or --weighted asks.
  std::unique_ptr<PathEngine> path_engine_for(const Graph& graph);
  // For questions about one component: the largest, or an error if --disconnected asks for one. A
  // proof must not rest on a symmetry of which 'verify' knows nothing.
  Graph largest_component(bool to_prove = false);

  // Whether another component is wider than the largest, whose diameter lies between these.
  void look_elsewhere(Distance lower, Distance upper);

  // A proof of what the engine has answered, for that file. Empty if it is stopped.
  std::string proof(Engine& engine, const std::string& file,
                    const std::function<Certificate()>& certify);

  void finish_phase(const char* name);  // time since the last phase is booked under this name
  report::Context& context() { return context_; }
  const CommonOptions& options() const { return options_; }
  template <class Answer>
  void print(const Answer& answer);

 private:
  EngineOptions engine_options() const;
  void set_engine(const EngineInfo& info);
  void complete_context();
  double lap();

  const CommonOptions& options_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  LoadedGraph loaded_;
  Components components_;
  report::Context context_;
};

void catch_interrupts();  // Ctrl-C asks observers to stop; a second one ends the program
void print_out(std::string_view text);
void say(std::string_view
             text);  // on standard error; what cannot be written there is not worth an answer
// Each of them, whatever becomes of the others, so that no answer is lost for a file that cannot be
// written, and no file for an answer. Then the first failure is thrown, a closed pipe last.
void write_each(std::initializer_list<std::function<void()>> outputs);
// A DeviceError, before anything is computed, where an answer of so many entries does not fit.
void refuse_entries(const CommonOptions& options, std::uint64_t entries);
// 'vertex value' for every vertex of the file, one a line; text_of(v) is the value of a vertex of
// `graph`, and those that it lacks have `none`.
std::string vertex_lines(const Graph& graph, const std::function<std::string(Vertex)>& text_of,
                         std::string_view none = "nan");
void notice(const CommonOptions& options, std::string_view text);

template <class Answer>
void Session::print(const Answer& answer) {
  complete_context();
  print_out(report::render(context_, answer, options_.style()));
}

}  // namespace antipode::cli
