#include "cli/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <sstream>

#include "antipode/error.hpp"

namespace antipode::cli {

Option Option::required() const { return Option(option_->required()); }
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
Option Option::show_default() const { return Option(option_->capture_default_str()); }
Option Option::of_type(const std::string& name) const { return Option(option_->type_name(name)); }
Option Option::split_at(char delimiter) const { return Option(option_->delimiter(delimiter)); }

Option Option::one_of(const std::vector<std::string>& words, List list) const {
  CLI::IsMember check(words);
  if (list == List::hidden) check.description("");
  return Option(option_->check(check));
}

template <class Number>
Option Option::between(Number least, Number most) const {
  return Option(option_->check(CLI::Range(least, most)));
}
template Option Option::between(int, int) const;
template Option Option::between(unsigned, unsigned) const;
template Option Option::between(double, double) const;

Option Option::positive() const { return Option(option_->check(CLI::PositiveNumber)); }
Option Option::not_negative() const { return Option(option_->check(CLI::NonNegativeNumber)); }
Option Option::in_bytes() const { return Option(option_->transform(CLI::AsSizeValue(true))); }

bool Option::is_given() const { return option_->count() > 0; }
std::string Option::name() const { return option_->get_name(); }
std::string Option::type() const { return option_->get_type_name(); }
std::string Option::value() const { return option_->as<std::string>(); }

template <class Value>
Option Command::add_option(const std::string& name, Value& value, const std::string& text) const {
  return Option(app_->add_option(name, value, text));
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
  return Option(app_->add_flag(name, value, text));
}

Option Command::add_number(const std::string& name, std::function<void(int)> set,
                           const std::string& text, const std::map<std::string, int>& choices,
                           Case letters) const {
  CLI::Option* const option = app_->add_option_function<int>(name, std::move(set), text);
  if (letters == Case::ignored)
    option->transform(CLI::CheckedTransformer(choices, CLI::ignore_case).description(""));
  else
    option->transform(CLI::CheckedTransformer(choices).description(""));
  return Option(option->type_name("ENUM"));
}

Command Command::add_command(const std::string& name, const std::string& summary) const {
  return Command(app_->add_subcommand(name, summary));
}
void Command::require_command() const { app_->require_subcommand(1); }
void Command::when_named(std::function<void()> action) const { app_->callback(std::move(action)); }
void Command::add_footer(const std::string& text) const { app_->footer(text); }

std::optional<Option> Command::find(const std::string& name) const {
  CLI::Option* const option = app_->get_option_no_throw(name);
  return option == nullptr ? std::nullopt : std::optional(Option(option));
}
std::vector<Option> Command::given_options() const {
  std::vector<Option> given;
  for (CLI::Option* each : app_->get_options({}))
    if (each->count() > 0) given.emplace_back(each);
  return given;
}
std::vector<Command> Command::named_commands() const {
  std::vector<Command> named;
  for (CLI::App* each : app_->get_subcommands()) named.emplace_back(each);
  return named;
}

CommandLine::CommandLine(const std::string& summary, const std::string& version)
    : app_(std::make_unique<CLI::App>(summary)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->failure_message(CLI::FailureMessage::help);
}
CommandLine::~CommandLine() = default;

std::optional<std::string> CommandLine::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    app_->exit(asked, text, text);
    return text.str();
  } catch (const CLI::ParseError& error) {
    throw UsageError(
        fmt::format("{}; see 'antipode --help' or 'antipode VERB --help'", error.what()));
  }
  return std::nullopt;
}

}  // namespace antipode::cli
