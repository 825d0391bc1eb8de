// The command line as the verbs see it: commands and options, behind which CLI11 parses. Only
// command.cpp includes CLI11, which adds five seconds to the compilation of every file that does.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace antipode::cli {

// What the help, the manual and completions say of an option, or of an argument without dashes.
struct OptionInfo {
  std::string name;  // with its dashes
  char letter = 0;
  std::string text;
  std::string value;               // what the help calls its value; empty: it takes none
  std::string type;                // TARGET and FILE name files
  std::string chosen;              // the default, where the help shows it
  std::vector<std::string> words;  // values that there are, as far as they are known
  bool is_required = false, is_list = false;
};
struct CommandInfo {
  std::string name;  // antipode golf search
  std::string heading, summary, footer;
  std::vector<std::string> examples;
  std::vector<OptionInfo> arguments, options;
  std::vector<CommandInfo> commands;
};

struct CommandNotes;  // what is said of commands and options and CLI11 has no place for

// A handle, to be copied. Every function that says something of the option returns it again.
class Option {
 public:
  Option() = default;
  Option(CLI::Option* option, CommandNotes* notes) : option_(option), notes_(notes) {}

  Option required() const;
  Option needs(Option other) const;
  Option show_default() const;  // in the help: what the variable holds now
  Option of_type(const std::string& name) const;
  Option split_at(char delimiter) const;  // one argument may hold several values
  Option one_of(const std::vector<std::string>& words) const;
  Option suggest(const std::vector<std::string>& words) const;  // values; there may be others
  template <class Number>                                       // int, unsigned or double
  Option between(Number least, Number most) const;
  Option positive() const;
  Option not_negative() const;
  Option in_bytes() const;  // 64k, 2M, 1G

  bool is_given() const;
  std::string name() const;
  std::string type() const;
  std::string value() const;  // as it was given
  std::vector<std::string> values() const;

 private:
  CLI::Option* option_ = nullptr;
  CommandNotes* notes_ = nullptr;
};

// A handle, to be copied: the program itself, a verb, or a verb of a verb.
class Command {
 public:
  Command() = default;
  Command(CLI::App* app, CommandNotes* notes) : app_(app), notes_(notes) {}

  // The variable gets the value. command.cpp lists the types it may have. The letter of an option
  // is the one that option_table.hpp has for its name.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& text) const;
  Option add_flag(const std::string& name, bool& value, const std::string& text) const;
  enum class Case { matters, ignored };
  template <class Enum>
  Option add_choice(const std::string& name, Enum& value, const std::string& text,
                    const std::map<std::string, Enum>& choices, Case letters = Case::matters) const;
  Command add_command(const std::string& name, const std::string& summary) const;
  void require_command() const;  // one of those added
  void when_named(std::function<void()> action) const;
  void add_footer(const std::string& text) const;
  // The heading in the help of the program; commands to try, one a line.
  void add_notes(std::string_view heading, std::string_view examples) const;

  std::optional<Option> find(const std::string& name) const;
  std::vector<Option> given_options() const;
  std::vector<Command> named_commands() const;
  Command program() const;
  Command find_command(const std::vector<std::string>& words) const;  // below this one
  CommandInfo info() const;

 private:
  friend class CommandLine;
  Option add_number(const std::string& name, std::function<void(int)> set, const std::string& text,
                    const std::map<std::string, int>& choices, Case letters) const;

  CLI::App* app_ = nullptr;
  CommandNotes* notes_ = nullptr;
};

class CommandLine {
 public:
  CommandLine(const std::string& summary, const std::string& version);
  ~CommandLine();
  Command program() const { return {app_.get(), notes_.get()}; }
  // The text to print instead of an answer where help or the version is asked for. A UsageError for
  // what the options do not allow.
  std::optional<std::string> parse(int argc, char** argv);

 private:
  Command named_command() const;  // the lowest one

  std::unique_ptr<CLI::App> app_;
  std::unique_ptr<CommandNotes> notes_;
};

template <class Enum>
Option Command::add_choice(const std::string& name, Enum& value, const std::string& text,
                           const std::map<std::string, Enum>& choices, Case letters) const {
  std::map<std::string, int> numbers;
  for (const auto& [word, choice] : choices) numbers.emplace(word, static_cast<int>(choice));
  return add_number(
      name, [&value](int number) { value = static_cast<Enum>(number); }, text, numbers, letters);
}

}  // namespace antipode::cli
