// The program: a table of verbs. Only here are errors caught, printed and turned into exit codes.
#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "cli/command.hpp"
#include "cli/progress_line.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "cli/verbs.hpp"

namespace {

using namespace antipode;
using cli::ExitCode;

// Without memory of its own: there may be none left. Standard error may be closed or full; the exit
// code says the same.
int complain(ExitCode code, const char* what) {
  cli::erase_line();
  const bool is_colored = cli::takes_color(STDERR_FILENO);
  std::fputs(is_colored ? "\033[1mantipode:\033[0m " : "antipode: ", stderr);
  std::fputs(what, stderr);
  std::fputs("\n", stderr);
  return code;
}

// Names of files and vertices in a message may hold anything.
int complain(ExitCode code, const std::exception& error) {
  return complain(code, printable(error.what(), LineEnds::kept).c_str());
}

// A file opened later must not become standard output or standard error because these were closed.
void fill_standard_streams() {
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 &&
        open("/dev/null", descriptor == 1 ? O_RDONLY : O_RDWR) != descriptor)
      return;
}

int run(int argc, char** argv) {
  cli::CommandLine line("Exact distances in huge sparse graphs", ANTIPODE_VERSION);
  std::function<ExitCode()> chosen;
  for (const cli::Verb& verb : cli::kVerbs) {
    const cli::Command command =
        line.program().add_command(std::string(verb.name), std::string(verb.summary));
    command.add_notes(verb.heading, verb.examples);
    command.when_named([action = verb.configure(command), &chosen] { chosen = action; });
  }
  line.program().add_footer(
      "\n'antipode help VERB' has the options of a verb, and examples. A graph is a file, - for\n"
      "standard input, or gen:KIND?key=value&…, which 'antipode help generate' lists.\n");
  if (const std::optional<std::string> text = line.parse(argc, argv)) {
    cli::print_out(*text);
    return ExitCode::kExact;
  }
  cli::check_targets(line.program());
  return chosen();
}

// Some destructors allocate, those of JSON values among them. Where that fails no exception can
// pass, and this is all that is left to do.
[[noreturn]] void end_without_memory() {
  if (const auto failure = std::current_exception(); failure != nullptr) try {
      std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
      abandon_files();
      constexpr std::string_view kMessage = "antipode: out of memory\n";
      if (write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0) _exit(ExitCode::kDevice);
      _exit(ExitCode::kDevice);
    } catch (...) {
    }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_streams();
  std::set_terminate(end_without_memory);
  // A pipe that nothing reads must not end the program before its files are written.
  const auto on_pipe = std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that would become too large is an error of its writing
  try {
    return run(argc, argv);
  } catch (const UsageError& error) {
    return complain(ExitCode::kUsage, error);
  } catch (const InputError& error) {
    return complain(ExitCode::kBadInput, error);
  } catch (const ClosedPipe& error) {  // in the end as other programs, unless the caller ignores it
    std::signal(SIGPIPE, on_pipe);
    std::raise(SIGPIPE);
    return complain(ExitCode::kDevice, error);
  } catch (const DeviceError& error) {
    return complain(ExitCode::kDevice, error);
  } catch (const Interrupted&) {
    return complain(ExitCode::kStoppedEarly, "stopped before there was anything to answer");
  } catch (const std::bad_alloc&) {
    return complain(ExitCode::kDevice, "out of memory");
  } catch (const std::exception& error) {
    return complain(ExitCode::kBug, fmt::format("a bug, please report it: {}",
                                                printable(error.what(), LineEnds::kept))
                                        .c_str());
  }
}
