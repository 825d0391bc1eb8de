// The table of formats, and which of them a file has.
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
  Writer write;  // none: the format is only read
};

const FormatEntry& format_of(Input& input, std::string_view wanted);
const FormatEntry& format_for_writing(const std::string& path, std::string_view wanted);

}  // namespace antipode
