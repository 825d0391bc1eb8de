// The program: a table of verbs. Only here are errors caught, printed and turned into exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "antipode/error.hpp"
#include "cli/verbs.hpp"

namespace {

using namespace antipode;
using cli::ExitCode;

int complain(ExitCode code, const char* what) {
  fmt::print(stderr, "antipode: {}\n", what);
  return code;
}

int run(int argc, char** argv) {
  CLI::App app{"Exact distances in huge sparse graphs"};
  app.set_version_flag("--version", ANTIPODE_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  std::function<ExitCode()> chosen;
  for (const cli::Verb& verb : cli::kVerbs) {
    CLI::App* command = app.add_subcommand(std::string(verb.name), std::string(verb.summary));
    command->callback([action = verb.configure(*command), &chosen] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    return complain(
        ExitCode::kUsage,
        fmt::format("{}; see 'antipode --help' or 'antipode VERB --help'", error.what()).c_str());
  }
  cli::check_targets(app);
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    if (std::fflush(stdout) != 0)
      return complain(ExitCode::kDevice, "standard output cannot be written");
    return code;
  } catch (const UsageError& error) {
    return complain(ExitCode::kUsage, error.what());
  } catch (const InputError& error) {
    return complain(ExitCode::kBadInput, error.what());
  } catch (const DeviceError& error) {
    return complain(ExitCode::kDevice, error.what());
  } catch (const std::bad_alloc&) {
    return complain(ExitCode::kDevice, "out of memory");
  } catch (const std::exception& error) {
    return complain(ExitCode::kBug,
                    fmt::format("a bug, please report it: {}", error.what()).c_str());
  }
}
