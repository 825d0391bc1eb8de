// Formats recognized by their syntax: some are read, the others refused by name.
#pragma once

#include <string>
#include <string_view>

namespace antipode {

// A format that is recognized but not read.
struct Foreign {
  std::string_view name, endings;
  std::string_view what, instead;  // what the file is, and how to convert it
};

const Foreign* foreign_format(std::string_view name);   // null: none has this name
const Foreign* foreign_by_file(std::string_view file);  // by the ending of a file's name
std::string refusal(const Foreign& format);

// json, graphml, pajek, graph6 or sparse6; the name of a foreign format; or nothing.
std::string_view format_by_syntax(std::string_view head);

}  // namespace antipode
