// What options of one name have in common, whichever verb takes them: the letter, the heading of
// the help and what the value is called there. An option that is not listed has no letter and is
// part of the question.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace antipode::cli {

inline constexpr std::string_view kQuestion = "Question", kGraph = "Graph", kOutput = "Output",
                                  kMachine = "Machine", kLimits = "Limits and long runs",
                                  kHelp = "Help";
inline constexpr std::string_view kHeadings[] = {kQuestion, kGraph,  kOutput,
                                                 kMachine,  kLimits, kHelp};

struct SharedOption {
  std::string_view name;  // with its dashes
  std::string_view heading = kQuestion;
  std::string_view value = {};  // in the help; empty: as the type says
  char letter = 0;
};

inline constexpr SharedOption kSharedOptions[] = {
    {.name = "--checkpoint", .heading = kLimits},
    {.name = "--checkpoint-every", .heading = kLimits, .value = "SECONDS"},
    {.name = "--certificate", .heading = kOutput},
    {.name = "--columns", .heading = kGraph, .value = "LIST"},
    {.name = "--completion", .value = "SHELL"},
    {.name = "--csv", .heading = kOutput},
    {.name = "--device", .heading = kMachine, .value = "NAME"},
    {.name = "--directed", .heading = kGraph},
    {.name = "--disconnected", .heading = kGraph, .value = "POLICY"},
    {.name = "--disk-limit", .heading = kLimits, .value = "BYTES"},
    {.name = "--engine", .heading = kMachine, .value = "NAME"},
    {.name = "--estimate", .heading = kLimits},
    {.name = "--expand", .heading = kOutput},
    {.name = "--format", .heading = kGraph, .value = "NAME"},
    {.name = "--help", .heading = kHelp, .letter = 'h'},
    {.name = "--json", .heading = kOutput, .letter = 'j'},
    {.name = "--kernel", .heading = kMachine, .value = "NAME"},
    {.name = "--layout", .heading = kMachine, .value = "NAME"},
    {.name = "--man", .value = "DIR"},
    {.name = "--measures", .value = "LIST", .letter = 'm'},
    {.name = "--memory-limit", .heading = kLimits, .value = "BYTES"},
    {.name = "--order", .heading = kMachine},
    {.name = "--output", .heading = kOutput, .letter = 'o'},
    {.name = "--path", .heading = kOutput},
    {.name = "--quiet", .heading = kOutput, .letter = 'q'},
    {.name = "--resume", .heading = kLimits},
    {.name = "--seed", .heading = kGraph, .value = "N"},
    {.name = "--source", .value = "VERTEX"},
    {.name = "--threads", .heading = kMachine, .value = "N", .letter = 't'},
    {.name = "--time", .value = "SECONDS"},
    {.name = "--time-limit", .heading = kLimits, .value = "SECONDS"},
    {.name = "--to", .heading = kOutput, .value = "FORMAT"},
    {.name = "--trace", .heading = kOutput},
    {.name = "--version", .heading = kHelp},
    {.name = "--weighted", .heading = kGraph},
};

inline constexpr SharedOption shared_option(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kSharedOptions), std::end(kSharedOptions),
                   [&](const SharedOption& each) { return each.name == name; });
  return found == std::end(kSharedOptions) ? SharedOption{.name = name} : *found;
}

}  // namespace antipode::cli
