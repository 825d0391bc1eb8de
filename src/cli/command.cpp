#include "cli/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <type_traits>
#include <utility>

#include "antipode/error.hpp"
#include "cli/help.hpp"
#include "cli/option_table.hpp"
#include "graph/nearest.hpp"

namespace antipode::cli {

namespace {

double number_of(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

bool starts_with_digit(const std::string& text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

std::string not_a_size(const std::string& text) {
  return fmt::format("a number of bytes is wanted, such as 500M or 2G, not {}", text);
}

// What CLI11 would take for another value: an empty word, -1 for a very large number, and numbers
// that no time or probability has. An empty message: there is nothing to say against it.
template <class Value>
std::string objection(const std::string& text) {
  if (text.empty()) return "its value is empty";
  if constexpr (std::is_same_v<Value, double>)
    return std::isfinite(number_of(text)) ? ""
                                          : fmt::format("a finite number is wanted, not {}", text);
  if constexpr (std::is_unsigned_v<Value>)
    return text[0] != '-' ? "" : fmt::format("a number of at least 0 is wanted, not {}", text);
  return "";
}

template <class Value>
struct ElementOf {
  using type = Value;
};
template <class Value>
struct ElementOf<std::vector<Value>> {
  using type = Value;
};

std::vector<std::string_view> views_of(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands(nullptr)) names.push_back(each->get_name());
  return names;
}

// For a verb or an option that is not known.
std::string suggestion(const CLI::App& command, const std::vector<std::string>& words) {
  std::vector<std::string> known = names_of_commands(command);
  if (!known.empty()) {
    for (const std::string& word : words)
      if (word[0] != '-' && word != command.get_name()) return did_you_mean(word, views_of(known));
    return "";
  }
  for (const CLI::Option* each : command.get_options())
    for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : command.remaining())
    if (word.starts_with("--"))
      return did_you_mean(std::string_view(word).substr(0, word.find('=')), views_of(known));
  return "";
}

std::string refusal(const std::string& text, const std::vector<std::string>& words) {
  return fmt::format("{} is none of {}{}", text, fmt::join(words, ", "),
                     did_you_mean(text, views_of(words)));
}

// -t,--threads for --threads
std::string with_letter(const std::string& name) {
  const char letter = shared_option(name).letter;
  return letter == 0 ? name : fmt::format("-{},{}", letter, name);
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name()
                                     : full_name(*app.get_parent()) + " " + app.get_name();
}

std::string type_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // and what its checks say
  return type.substr(0, type.find(':'));
}

std::string value_name(const CLI::Option& option, const std::vector<std::string>& words) {
  const std::string type = type_of(option);
  if (option.get_items_expected_max() == 0) return "";
  if (const auto shared = shared_option(option.get_name()); !shared.value.empty())
    return std::string(shared.value);
  if (type == "TARGET" || type == "FILE") return "FILE";
  if (type == "UINT" || type == "INT") return "N";
  if (type == "FLOAT") return "X";
  return words.empty() ? "TEXT" : "WORD";
}

}  // namespace

struct CommandNotes {
  struct OfCommand {
    std::string heading;
    std::vector<std::string> examples;
  };
  std::map<const CLI::App*, OfCommand> commands;
  std::map<const CLI::Option*, std::vector<std::string>> words;
};

Option Option::required() const { return {option_->required(), notes_}; }
Option Option::needs(Option other) const { return {option_->needs(other.option_), notes_}; }
Option Option::show_default() const { return {option_->capture_default_str(), notes_}; }
Option Option::of_type(const std::string& name) const { return {option_->type_name(name), notes_}; }
Option Option::split_at(char delimiter) const {
  return {option_->delimiter(delimiter)->allow_extra_args(false), notes_};
}

Option Option::suggest(const std::vector<std::string>& words) const {
  notes_->words[option_] = words;
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) const {
  option_->check([words](const std::string& text) {
    return std::find(words.begin(), words.end(), text) != words.end() ? "" : refusal(text, words);
  });
  return suggest(words);
}

template <class Number>
Option Option::between(Number least, Number most) const {
  return {option_->check(CLI::Range(least, most)), notes_};
}
template Option Option::between(int, int) const;
template Option Option::between(unsigned, unsigned) const;
template Option Option::between(double, double) const;

Option Option::positive() const {
  option_->check([](const std::string& text) {
    return number_of(text) > 0 ? "" : fmt::format("a number above 0 is wanted, not {}", text);
  });
  return *this;
}
Option Option::not_negative() const {
  option_->check([](const std::string& text) {
    return number_of(text) >= 0 ? ""
                                : fmt::format("a number of at least 0 is wanted, not {}", text);
  });
  return *this;
}
Option Option::in_bytes() const {
  const auto fits = [](const std::string& text) {
    errno = 0;
    std::strtoull(text.c_str(), nullptr, 10);
    return starts_with_digit(text) && errno == 0 ? std::string() : not_a_size(text);
  };
  option_->transform(CLI::AsSizeValue(true))
      ->transform(CLI::Validator([fits](std::string& text) { return fits(text); }, ""));
  return *this;
}

bool Option::is_given() const { return option_->count() > 0; }
std::string Option::name() const { return option_->get_name(); }
std::string Option::type() const { return option_->get_type_name(); }
std::string Option::value() const { return option_->as<std::string>(); }
std::vector<std::string> Option::values() const { return option_->results(); }

template <class Value>
Option Command::add_option(const std::string& name, Value& value, const std::string& text) const {
  using Element = typename ElementOf<Value>::type;
  return {app_->add_option(with_letter(name), value, text)->check(objection<Element>), notes_};
}
template Option Command::add_option(const std::string&, std::string&, const std::string&) const;
template Option Command::add_option(const std::string&, int&, const std::string&) const;
template Option Command::add_option(const std::string&, std::uint32_t&, const std::string&) const;
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&) const;
template Option Command::add_option(const std::string&, double&, const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<std::string>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<std::uint32_t>&,
                                    const std::string&) const;

Option Command::add_flag(const std::string& name, bool& value, const std::string& text) const {
  return {app_->add_flag(with_letter(name), value, text), notes_};
}

Option Command::add_number(const std::string& name, std::function<void(int)> set,
                           const std::string& text, const std::map<std::string, int>& choices,
                           Case letters) const {
  CLI::Option* const option = app_->add_option_function<int>(name, std::move(set), text);
  std::vector<std::string> words;
  for (const auto& [word, number] : choices) words.push_back(word);
  const auto to_number = [choices, words, letters](std::string& given) {
    const std::string word = letters == Case::ignored ? CLI::detail::to_lower(given) : given;
    const auto found = choices.find(word);
    if (found == choices.end()) return refusal(given, words);
    given = std::to_string(found->second);
    return std::string();
  };
  option->transform(CLI::Validator(to_number, ""))->type_name("WORD");
  return Option(option, notes_).suggest(words);
}

Command Command::add_command(const std::string& name, const std::string& summary) const {
  return {app_->add_subcommand(name, summary), notes_};
}
void Command::require_command() const { app_->require_subcommand(1); }
void Command::when_named(std::function<void()> action) const { app_->callback(std::move(action)); }
void Command::add_footer(const std::string& text) const { app_->footer(text); }
void Command::add_notes(std::string_view heading, std::string_view examples) const {
  auto& notes = notes_->commands[app_];
  notes.heading = heading;
  for (std::size_t end = 0; !examples.empty(); examples.remove_prefix(end)) {
    const std::string_view line = examples.substr(0, examples.find('\n'));
    notes.examples.emplace_back(line);
    end = std::min(line.size() + 1, examples.size());
  }
}

std::optional<Option> Command::find(const std::string& name) const {
  CLI::Option* const option = app_->get_option_no_throw(name);
  return option == nullptr ? std::nullopt : std::optional(Option(option, notes_));
}
std::vector<Option> Command::given_options() const {
  std::vector<Option> given;
  for (CLI::Option* each : app_->get_options({}))
    if (each->count() > 0) given.emplace_back(each, notes_);
  return given;
}
std::vector<Command> Command::named_commands() const {
  std::vector<Command> named;
  for (CLI::App* each : app_->get_subcommands()) named.emplace_back(each, notes_);
  return named;
}

Command Command::program() const {
  CLI::App* app = app_;
  while (app->get_parent() != nullptr) app = app->get_parent();
  return {app, notes_};
}

CommandInfo Command::info() const {
  CommandInfo info{.name = full_name(*app_),
                   .heading = {},
                   .summary = app_->get_description(),
                   .footer = app_->get_footer(),
                   .examples = {},
                   .arguments = {},
                   .options = {},
                   .commands = {}};
  for (const CLI::Option* each : app_->get_options()) {
    const auto words = notes_->words.find(each);
    const bool is_argument = each->get_positional();
    OptionInfo option{.name = each->get_name(is_argument),
                      .letter = each->get_snames().empty() ? '\0' : each->get_snames()[0][0],
                      .text = each->get_description(),
                      .value = {},
                      .type = type_of(*each),
                      .chosen = each->get_default_str(),
                      .words = {},
                      .is_required = each->get_required(),
                      .is_list = each->get_items_expected_max() > 1};
    if (words != notes_->words.end()) option.words = words->second;
    option.value = value_name(*each, option.words);
    (is_argument ? info.arguments : info.options).push_back(std::move(option));
  }
  for (CLI::App* each : app_->get_subcommands(nullptr))
    info.commands.push_back(Command(each, notes_).info());
  if (const auto notes = notes_->commands.find(app_); notes != notes_->commands.end()) {
    info.heading = notes->second.heading;
    info.examples = notes->second.examples;
  } else if (app_->get_parent() != nullptr) {  // a verb of a verb
    for (const std::string& line : notes_->commands[app_->get_parent()].examples)
      if (line.starts_with(info.name + " ")) info.examples.push_back(line);
  }
  return info;
}

CommandLine::CommandLine(const std::string& summary, const std::string& version)
    : app_(std::make_unique<CLI::App>(summary, "antipode")),
      notes_(std::make_unique<CommandNotes>()) {
  app_->set_help_flag("-h,--help", "this text");
  app_->set_version_flag("--version", version, "the version");
  app_->require_subcommand(1);
}
CommandLine::~CommandLine() = default;

Command CommandLine::named_command() const {
  CLI::App* command = app_.get();
  for (auto named = command->get_subcommands(); !named.empty(); named = command->get_subcommands())
    command = named.front();
  return {command, notes_.get()};
}

// The command that `antipode help WORDS` is about.
Command Command::find_command(const std::vector<std::string>& words) const {
  CLI::App* command = app_;
  for (const std::string& word : words) {
    const auto below = command->get_subcommands(nullptr);
    const auto next = std::find_if(below.begin(), below.end(),
                                   [&](const CLI::App* each) { return each->get_name() == word; });
    if (next == below.end())
      throw UsageError(fmt::format("'{}' has no verb '{}'{}", full_name(*command), word,
                                   did_you_mean(word, views_of(names_of_commands(*command)))));
    command = *next;
  }
  return {command, notes_};
}

std::optional<std::string> CommandLine::parse(int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool has_option = std::any_of(words.begin(), words.end(),
                                      [](const std::string& word) { return word[0] == '-'; });
  if (!words.empty() && words.front() == "help" && !has_option)
    return help_text(program().find_command({words.begin() + 1, words.end()}).info());
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return help_text(named_command().info());
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    app_->exit(asked, text, text);
    return text.str();
  } catch (const CLI::ParseError& error) {
    const Command command = named_command();
    const std::string name = command.info().name;
    throw UsageError(fmt::format(
        "{}{}; see '{}'", error.what(), suggestion(*command.app_, words),
        command.app_ == app_.get() ? "antipode --help" : "antipode help" + name.substr(8)));
  }
  return std::nullopt;
}

}  // namespace antipode::cli
