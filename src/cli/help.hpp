// What 'antipode help', the manual and the shells know of a command, all of it from what the parser
// has.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace antipode::cli {

std::string help_text(const CommandInfo& command);

// A page in the language of man, of section 1.
std::string man_page(const CommandInfo& command, const CommandInfo& program,
                     std::string_view version, std::string_view date);
std::string completion(const CommandInfo& program, std::string_view shell);  // bash, zsh or fish

// Headings with the options below them, as every text about a command shows them.
std::vector<std::pair<std::string, std::vector<OptionInfo>>> options_by_heading(
    const CommandInfo& command);
std::vector<std::pair<std::string, std::vector<CommandInfo>>> commands_by_heading(
    const CommandInfo& command);
std::string usage(const CommandInfo& command);       // antipode diameter GRAPH [options]
std::string shown_name(const OptionInfo& argument);  // GRAPH

}  // namespace antipode::cli
