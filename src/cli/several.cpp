#include "cli/several.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "antipode/error.hpp"
#include "cli/live.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

namespace {

struct Failure {
  ExitCode code;
  std::string message;
};

// Of one graph. A closed pipe and a bug of ours end all.
Failure failure_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const UsageError& error) {
    return {kUsage, error.what()};
  } catch (const InputError& error) {
    return {kBadInput, error.what()};
  } catch (const ClosedPipe&) {
    throw;
  } catch (const DeviceError& error) {
    return {kDevice, error.what()};
  } catch (const Interrupted&) {
    return {kStoppedEarly, "stopped before there was anything to answer"};
  }
}

// Errors before runs that were stopped.
int gravity(ExitCode code) { return code == kStoppedEarly ? 1 : code == kExact ? 0 : 1 + code; }

void require_one_file_each(const CommonOptions& options) {
  if (std::count(options.graphs.begin(), options.graphs.end(), "-") > 1)
    throw UsageError("standard input can be read once: name - once");
  for (const Option& option : options.command().given_options())
    if (is_target(option))
      throw UsageError(
          fmt::format("{} names one file, and there are {} graphs: ask them one by one",
                      option.name(), options.graphs.size()));
}

}  // namespace

ExitCode run_each(CommonOptions& options, std::string_view measure,
                  const std::function<ExitCode()>& run) {
  if (options.csv && options.json) throw UsageError("--csv and --json: leave one of them out");
  if (const auto estimate = options.command().find("--estimate");
      options.csv && estimate && estimate->is_given())
    throw UsageError("an estimate has no form as a row: leave --csv or --estimate out");
  options.graph = options.graphs.front();
  if (options.graphs.size() == 1) return run();
  require_one_file_each(options);
  options.is_several = true;
  ExitCode worst = kExact;
  for (const std::string& graph : options.graphs) {
    options.graph = graph;
    ExitCode code = kExact;
    try {
      code = run();
    } catch (...) {
      const auto [failed, message] = failure_of(std::current_exception());
      say(fmt::format("antipode: {}{}\n",
                      message.find(graph) == std::string::npos ? graph + ": " : "", message));
      if (options.style() != report::Style::text)
        print_out((options.printed++ == 0 ? report::csv_header(options.form(), measure) : "") +
                  report::render_failure(options.form(), measure, graph, message));
      code = failed;
    }
    if (gravity(code) > gravity(worst)) worst = code;
  }
  return worst;
}

}  // namespace antipode::cli
