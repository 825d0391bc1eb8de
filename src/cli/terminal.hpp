// Whether a stream is a terminal that may be drawn on, how wide it is, and what is coloured there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace antipode::cli {

// Of a descriptor. A terminal that knows no control sequences (TERM=dumb) is none.
bool is_terminal(int descriptor);
std::size_t width_of(int descriptor);  // columns; 80 where it is not known
bool takes_color(int descriptor);      // a terminal, and NO_COLOR is not set

enum class Style { bold, dim };
std::string styled(std::string_view text, Style style, int descriptor);  // plain where it must be

}  // namespace antipode::cli
