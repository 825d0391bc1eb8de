// Several graphs in one call: an answer for each, whatever becomes of the others.
#pragma once

#include <functional>

#include "cli/options.hpp"
#include "cli/verbs.hpp"

namespace antipode::cli {

// run() for each of options.graphs, which is then options.graph. A graph that fails is reported and
// left out. The code of the worst: of errors the largest, and any error rather than an early stop.
ExitCode run_each(CommonOptions& options, std::string_view measure,
                  const std::function<ExitCode()>& run);

}  // namespace antipode::cli
