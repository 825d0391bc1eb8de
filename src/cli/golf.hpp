// What the verbs of antipode golf share.
#pragma once

#include <functional>
#include <memory>

#include "antipode/golf.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

report::Style style_of(bool json);
// InputError if the degree is exceeded: the answer would be one to another problem. 0: any degree.
void check_degree(const std::string& file, Vertex most, Vertex allowed, const std::string& where);
report::GolfReport to_report(const golf::Part& part, const golf::PartScore& score,
                             const std::string& file, Vertex degree);
void add_memory_limit(Command command, std::uint64_t& bytes);

// The run of the verb that was named.
using Chosen = std::shared_ptr<std::function<ExitCode()>>;

// A verb below `golf`, whose options are returned.
template <class Options>
std::shared_ptr<Options> add_golf_verb(Command command, const char* name, const char* summary,
                                       const Chosen& chosen, ExitCode (*run)(const Options&),
                                       Command& added) {
  auto options = std::make_shared<Options>();
  added = command.add_command(name, summary);
  added.when_named([=] { *chosen = [=] { return run(*options); }; });
  return options;
}

void configure_golf_search(Command command, const Chosen& chosen);

}  // namespace antipode::cli
