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
  while (!text.empty()) {
    const bool is_ascii = static_cast<unsigned char>(text[0]) < 0x80;
    const std::size_t length = is_ascii ? 1 : character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

Vertex Dictionary::id(std::string_view name) {
  const auto found = ids_.find(name);
  if (found != ids_.end()) return found->second;
  if (!is_utf8(name)) throw Fault{name.data(), "the name " + show(name) + " is not UTF-8"};
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
