// What the verbs that answer a question share: the graph they load, the engine they search with,
// the answer they print.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>

#include "antipode/certificate.hpp"
#include "antipode/engine.hpp"
#include "antipode/io.hpp"
#include "antipode/measures.hpp"
#include "antipode/path_engine.hpp"
#include "cli/live.hpp"
#include "cli/options.hpp"
#include "cli/verbs.hpp"
#include "report/report.hpp"

namespace antipode::cli {

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
      const;  // an error if it is not connected and --disconnected asks for one
  // All of it, or its largest component where --disconnected says so; with --directed the largest
  // strong one.
  Graph asked_graph();
  bool is_connected() const { return components_.count() <= 1; }
  // The component by number, in the order asked for, and an engine that holds it.
  Graph component(Vertex which);
  std::unique_ptr<Engine> engine_for(const Graph& graph);
  EngineOptions engine_options() const;  // for engines that a measure makes itself
  void set_engine(const EngineInfo& info);
  // For questions that --directed or --weighted asks.
  std::unique_ptr<PathEngine> path_engine_for(const Graph& graph);
  // For questions about one component: the largest, or an error if --disconnected asks for one. A
  // proof must not rest on a symmetry of which 'verify' knows nothing.
  Graph largest_component(bool to_prove = false);

  // For questions that a PathEngine answers: the component or all of it, as --disconnected says.
  Graph path_graph();

  // Whether another component is wider than the largest, whose diameter lies between these.
  void look_elsewhere(Distance lower, Distance upper);

  // A proof of what the engine has answered, for that file. Empty if it is stopped.
  std::string proof(Engine& engine, const std::string& file,
                    const std::function<Certificate()>& certify);
  std::string proof(const std::string& file,
                    const std::function<PathCertificate(Observer&)>& certify);

  void finish_phase(const char* name);  // time since the last phase is booked under this name
  report::Context& context() { return context_; }
  const CommonOptions& options() const { return options_; }
  template <class Answer>
  void print(const Answer& answer);
  template <class Answer>
  std::string text_of(const Answer& answer);  // for people

 private:
  Graph largest_strong_component();
  void complete_context();
  bool is_output_alone() const;
  std::string opening() const;  // before an answer: a header, or an empty line between two
  std::string prove(const std::string& file, const std::function<std::string(Observer&)>& certify);
  double lap();

  const CommonOptions& options_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  LoadedGraph loaded_;
  Components components_;
  report::Context context_;
};

void print_out(std::string_view text);
void print_answer(std::string_view text, report::Style style);  // in colour where it is text
// Each of them, whatever becomes of the others, so that no answer is lost for a file that cannot be
// written, and no file for an answer. Then the first failure is thrown, a closed pipe last.
void write_each(std::initializer_list<std::function<void()>> outputs);
// A DeviceError, before anything is computed, where an answer of so many entries does not fit.
void refuse_entries(const CommonOptions& options, std::uint64_t entries);
// 'vertex value' for every vertex of the file, one a line; text_of(v) is the value of a vertex of
// `graph`, and those that it lacks have `none`.
std::string vertex_lines(const Graph& graph, const std::function<std::string(Vertex)>& text_of,
                         std::string_view none = "nan");

template <class Answer>
std::string Session::text_of(const Answer& answer) {
  complete_context();
  return render(context_, answer, report::Style::text);
}

// Nothing but the values goes to standard output where --output says so.
template <class Answer>
void Session::print(const Answer& answer) {
  if (is_output_alone()) {
    if (!context_.unwritten.empty()) say(text_of(answer));
    return;
  }
  complete_context();
  context_.form = options_.form();
  print_answer(opening() + render(context_, answer, options_.style()),  // declared beside it
               options_.style());
}

}  // namespace antipode::cli
