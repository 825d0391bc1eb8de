// antipode help
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/help.hpp"
#include "cli/session.hpp"
#include "cli/verbs.hpp"

namespace antipode::cli {

namespace {

struct Options {
  std::vector<std::string> verbs;
  std::string manual, shell;
};

// Today, or the day that a reproducible build names.
std::string date_of_pages() {
  const char* const epoch = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t now = epoch == nullptr ? std::time(nullptr) : std::strtoll(epoch, nullptr, 10);
  std::tm day{};
  gmtime_r(&now, &day);
  return fmt::format("{:04}-{:02}-{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

void write_pages(const CommandInfo& command, const CommandInfo& program, const std::string& date,
                 const std::filesystem::path& folder) {
  std::string name = command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  write_text((folder / (name + ".1")).string(), man_page(command, program, ANTIPODE_VERSION, date));
  for (const CommandInfo& each : command.commands) write_pages(each, program, date, folder);
}

ExitCode run(Command program, const Options& options) {
  if (!options.verbs.empty() && !(options.manual.empty() && options.shell.empty()))
    throw UsageError("--man and --completion are for the program: name no verb");
  const CommandInfo info = program.info();
  if (!options.manual.empty()) {
    std::error_code failure;  // said by what is written there
    std::filesystem::create_directories(options.manual, failure);
    write_pages(info, info, date_of_pages(), options.manual);
  }
  if (!options.shell.empty()) print_out(completion(info, options.shell));
  if (options.manual.empty() && options.shell.empty())
    print_out(help_text(program.find_command(options.verbs).info()));
  return kExact;
}

}  // namespace

std::function<ExitCode()> configure_help(Command command) {
  auto options = std::make_shared<Options>();
  std::vector<std::string> names;
  for (const Verb& each : kVerbs) names.emplace_back(each.name);
  command.add_option("verb", options->verbs, "what the help is about; none: the program")
      .suggest(names);
  command.add_option("--man", options->manual,
                     "write the manual, a page for each verb, into this folder");
  command
      .add_option("--completion", options->shell,
                  "print what completes verbs, options and values in bash, zsh or fish")
      .one_of({"bash", "zsh", "fish"});
  return [=] { return run(command.program(), *options); };
}

}  // namespace antipode::cli
