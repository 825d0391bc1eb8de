#include "io/names.hpp"

#include <charconv>
#include <optional>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

std::optional<std::uint64_t> whole_number(std::string_view name) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
  const bool usual = !name.empty() && (name == "0" || name[0] != '0');
  if (!usual || error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return value;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return false;
    std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if ((byte & 0xC0) != 0x80) return false;
      code = code << 6 | (byte & 0x3F);
    }
    const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (too_long || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += length;
  }
  return true;
}

Vertex Dictionary::id(std::string_view name) {
  const auto found = ids_.find(name);
  if (found != ids_.end()) return found->second;
  if (!is_utf8(name)) throw Fault{name.data(), "the name " + shown(name) + " is not UTF-8"};
  push_charged(names_, std::string(name));
  return ids_.emplace(name, static_cast<Vertex>(names_.size() - 1)).first->second;
}

Labels labels_of(const std::vector<std::string>& names) {
  refuse_bytes(names.size() * 64, "the names of the vertices");
  std::vector<std::uint64_t> values;
  values.reserve(names.size());
  bool sequential = true;
  for (const std::string& name : names) {
    const auto value = whole_number(name);
    if (!value) return Labels::names(names);
    sequential &= values.empty() || *value == values.back() + 1;
    values.push_back(*value);
  }
  if (sequential && !values.empty())
    return Labels::sequential(values.front(), static_cast<Vertex>(values.size()));
  return Labels::integers(std::move(values));
}

}  // namespace antipode
