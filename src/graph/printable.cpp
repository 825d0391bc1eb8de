// Text that is safe for a terminal: other bytes are escaped, and characters that are not seen but
// change what is, such as those that turn the direction of writing.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "antipode/error.hpp"

namespace antipode {

std::size_t character_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if ((byte & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte & 0x3F);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  return too_long || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : length;
}

namespace {

// Unicode's format characters, but for those that join letters or keep them apart, and for marks of
// one script. Of a character of this length.
bool is_unseen(std::string_view text, std::size_t length) {
  constexpr std::uint32_t kRanges[][2] = {
      {0xAD, 0xAD},     {0x61C, 0x61C},   {0x180E, 0x180E}, {0x200B, 0x200B}, {0x200E, 0x200F},
      {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
  if (length < 2) return false;
  std::uint32_t code = static_cast<unsigned char>(text[0]) & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k)
    code = code << 6 | (static_cast<unsigned char>(text[k]) & 0x3F);
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [&](const auto& range) { return range[0] <= code && code <= range[1]; });
}

}  // namespace

std::string printable(std::string_view text, LineEnds ends) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 2 && byte == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[1]));  // U+0080 to U+009F
    } else if (length == 0 || byte == 0x7F ||
               (byte < 0x20 && (byte != '\n' || ends == LineEnds::escaped))) {
      result += fmt::format("\\x{:02x}", byte);
    } else if (is_unseen(text, length)) {
      for (const char each : text.substr(0, length))
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(each));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace antipode
