// The table of formats, and the format of a file.
#pragma once

#include <string>
#include <string_view>

#include "antipode/io.hpp"
#include "io/formats.hpp"
#include "io/input.hpp"

namespace antipode {

struct FormatEntry {
  Format format;
  Reader read;
  Writer write;                         // none: the format is only read
  ColumnReader read_columns = nullptr;  // none: the format has no columns to choose from
};

// `columns`: the value of --columns. If it is not empty, the text is a table.
const FormatEntry& format_of(Input& input, std::string_view wanted, std::string_view columns);
// The name of the format that a text would be recognized as, whatever the name of its file.
std::string_view format_of_text(std::string_view head);
const FormatEntry& format_for_writing(const std::string& path, std::string_view wanted);

}  // namespace antipode
