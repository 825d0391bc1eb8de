#include "cli/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <type_traits>
#include <utility>

#include "antipode/error.hpp"

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

// Insertions, deletions, other letters and swapped neighbours that lead from one word to the other.
std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, last, now(b.size() + 1);
  std::iota(now.begin(), now.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool is_same = a[i - 1] == b[j - 1];
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (is_same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
  }
  return now.back();
}

// ", did you mean …?" for a word that is nearly one of these.
std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::size_t least = 1 + word.size() / 4;
  std::string best;
  for (const std::string& each : known)
    if (const std::size_t edits = edits_between(word, each); edits <= least)
      least = edits - std::min<std::size_t>(edits, 1), best = each;
  return best.empty() ? "" : fmt::format("; did you mean {}?", best);
}

// For a verb or an option that is not known.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (auto named = app.get_subcommands(); !named.empty(); named = command->get_subcommands())
    command = named.front();
  std::vector<std::string> known;
  for (const CLI::App* each : command->get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(each->get_name());
  if (!known.empty()) {
    for (const std::string& word : words)
      if (word[0] != '-' && word != command->get_name()) return nearest(word, known);
    return "";
  }
  for (const CLI::Option* each : command->get_options())
    for (const std::string& name : each->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : command->remaining())
    if (word.starts_with("--")) return nearest(word.substr(0, word.find('=')), known);
  return "";
}

}  // namespace

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

Option Option::positive() const {
  return Option(option_->check([](const std::string& text) {
    return number_of(text) > 0 ? "" : fmt::format("a number above 0 is wanted, not {}", text);
  }));
}
Option Option::not_negative() const {
  return Option(option_->check([](const std::string& text) {
    return number_of(text) >= 0 ? ""
                                : fmt::format("a number of at least 0 is wanted, not {}", text);
  }));
}
Option Option::in_bytes() const {
  const auto fits = [](const std::string& text) {
    errno = 0;
    std::strtoull(text.c_str(), nullptr, 10);
    return starts_with_digit(text) && errno == 0 ? std::string() : not_a_size(text);
  };
  return Option(
      option_->transform(CLI::AsSizeValue(true))
          ->transform(CLI::Validator([fits](std::string& text) { return fits(text); }, "")));
}

bool Option::is_given() const { return option_->count() > 0; }
std::string Option::name() const { return option_->get_name(); }
std::string Option::type() const { return option_->get_type_name(); }
std::string Option::value() const { return option_->as<std::string>(); }

template <class Value>
Option Command::add_option(const std::string& name, Value& value, const std::string& text) const {
  using Element = typename ElementOf<Value>::type;
  return Option(app_->add_option(name, value, text)->check(objection<Element>));
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
    : app_(std::make_unique<CLI::App>(summary, "antipode")) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->failure_message(CLI::FailureMessage::help);
}
CommandLine::~CommandLine() = default;

std::optional<std::string> CommandLine::parse(int argc, char** argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == "help") {  // help VERB means VERB --help
    words.erase(words.begin());
    words.push_back("--help");
  }
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    app_->exit(asked, text, text);
    return text.str();
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}{}; see 'antipode --help' or 'antipode help VERB'",
                                 error.what(), suggestion(*app_, words)));
  }
  return std::nullopt;
}

}  // namespace antipode::cli
