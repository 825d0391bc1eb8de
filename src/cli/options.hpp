// The options that most verbs take, and those that name files to read or to write.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "report/report.hpp"

namespace antipode::cli {

struct CommonOptions {
  std::string graph;
  std::vector<std::string> graphs;  // of verbs that take several: one after the other is `graph`
  bool is_several = false;
  mutable std::size_t printed = 0;  // answers
  std::string engine = "auto";
  std::string kernel = "auto", layout = "lists", device;
  unsigned threads = 0;
  bool json = false, csv = false, quiet = false;
  std::uint64_t seed = 1;
  double time_limit = 0;
  std::uint64_t memory_limit = 0;
  std::string format = "auto", columns;
  std::string disconnected;  // one of the policies that the verb has; empty: it has none
  std::vector<std::string> policies;
  std::string order = "as-read";
  bool directed = false, takes_directed = false, estimate = false, whole_path = false;
  bool weighted = false, takes_weighted = false;
  bool draws = false;  // the verb makes random choices, so that a seed means something without gen:

  enum class Source { any, several, generated };              // several graphs, or one
  void add_to(Command command, Source source = Source::any);  // all of the next four
  void add_source_to(Command command, Source source = Source::any);
  void add_answer_to(Command command, Source source = Source::any);  // several: with --csv
  void add_engine_to(Command command);
  void add_order_to(Command command);
  void add_directed_to(Command command);
  void add_weighted_to(Command command);
  bool has_paths() const { return directed || weighted; }  // what a PathEngine answers
  // What to do with a graph of several parts; the first by default, "error" last. Where other
  // choices are given for --directed, call fit_policy() before the run.
  void add_disconnected_to(Command command, std::vector<std::string> choices,
                           std::vector<std::string> directed_choices = {});
  void fit_policy();  // an error for a policy that does not go with the directions asked for
  void add_estimate_to(Command command);
  void add_path_to(Command command);
  std::string place() const;   // of the graph: its file, or what is to be generated, with --seed
  void refuse_unused() const;  // an error for an option given that this graph has no use for
  report::Style style() const { return json || csv ? report::Style::json : report::Style::text; }
  report::Form form() const {
    return csv ? report::Form::csv : is_several ? report::Form::line : report::Form::page;
  }
  const Command& command() const { return command_; }

 private:
  bool takes_seed() const;  // a generator that is named no seed
  std::vector<std::string> directed_policies_;
  Command command_;
};

// Options that were given and go only with something else, as in "--strategy takes-kosters".
void refuse_given(std::initializer_list<Option> options, const std::string& only_with);

// Options that name a file to write or to read. Before anything is computed it is checked that
// those to write can be written, and that none of them is another file of the command.
Option add_target(Command command, const std::string& name, std::string& path,
                  const std::string& text);
bool is_target(const Option& option);
inline constexpr const char* kSource = "FILE";  // the type of an option that names what is read
Option add_source(Command command, const std::string& name, std::string& path,
                  const std::string& text);

}  // namespace antipode::cli
