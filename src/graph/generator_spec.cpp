#include "graph/generator_spec.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "antipode/error.hpp"

namespace antipode {

namespace {

constexpr std::string_view kDirected = "directed";

}  // namespace

GeneratorSpec::GeneratorSpec(std::string_view text) {
  const auto question = text.find('?');
  kind_ = text.substr(0, question);
  if (question == std::string_view::npos) return;
  std::string_view rest = text.substr(question + 1);
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const std::string_view item = rest.substr(0, end);
    const auto equals = std::min(item.find('='), item.size());
    if (equals == 0 || (equals == item.size()) != (item.substr(0, equals) == kDirected))
      refuse(
          fmt::format("'{}' is not {}", item,
                      item.starts_with(kDirected) ? "directed, which has no value" : "key=value"));
    if (!values_.emplace(item.substr(0, equals), item.substr(std::min(equals + 1, item.size())))
             .second)
      refuse(fmt::format("'{}' is given twice", item.substr(0, equals)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void GeneratorSpec::refuse(const std::string& why) const {
  throw UsageError(fmt::format("gen:{}: {}", kind_, why));
}

std::uint64_t GeneratorSpec::integer(const std::string& key, std::uint64_t fallback,
                                     std::uint64_t least, std::uint64_t most) {
  read_.insert(key);
  const auto found = values_.find(key);
  if (found == values_.end()) return fallback;
  const std::string& text = found->second;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    refuse(fmt::format("{}={} is not a whole number", key, text));
  if (value < least || value > most)
    refuse(fmt::format("{}={} is outside {} … {}", key, value, least, most));
  return value;
}

double GeneratorSpec::real(const std::string& key, double fallback, double least, double most) {
  read_.insert(key);
  const auto found = values_.find(key);
  if (found == values_.end()) return fallback;
  const std::string& text = found->second;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value))
    refuse(fmt::format("{}={} is not a number", key, text));
  if (value < least || value > most)
    refuse(fmt::format("{}={} is outside {} … {}", key, value, least, most));
  return value;
}

Vertex GeneratorSpec::order(const std::string& key, Vertex fallback) {
  return static_cast<Vertex>(integer(key, fallback, 0, kMaxOrder));
}

bool GeneratorSpec::directed() {
  read_.insert(std::string(kDirected));
  return has(std::string(kDirected));
}

std::optional<LengthRange> GeneratorSpec::lengths() {
  read_.insert("lengths");
  const auto found = values_.find("lengths");
  if (found == values_.end()) return std::nullopt;
  const std::string& text = found->second;
  const auto dots = text.find("..");
  LengthRange range;
  const auto number = [&](std::string_view part, Length& value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc{} && end == part.data() + part.size() && value <= 0xffffffff;
  };
  if (dots == std::string::npos || !number(std::string_view(text).substr(0, dots), range.least) ||
      !number(std::string_view(text).substr(dots + 2), range.most) || range.least > range.most)
    refuse(fmt::format("lengths={} is not of the form 1..1000, up to {}", text, 0xffffffffu));
  return range;
}

void GeneratorSpec::refuse_unread() const {
  for (const auto& [key, value] : values_)
    if (!read_.contains(key)) {
      std::string known;
      for (const auto& name : read_) known += (known.empty() ? "" : ", ") + name;
      refuse(fmt::format("no parameter '{}'{}", key,
                         known.empty() ? ": it takes none" : "; it takes " + known));
    }
}

void refuse_too_many_edges(const std::string& kind, double edges) {
  constexpr double kMost = 1e11;
  if (edges > kMost)
    throw UsageError(
        fmt::format("gen:{}: about {:.3g} edges; the most is {:.0g}", kind, edges, kMost));
}

}  // namespace antipode
