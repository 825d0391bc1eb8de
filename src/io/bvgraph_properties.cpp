// The properties of a BVGraph: a Java properties file. Only what decoding needs is read; the rest
// are statistics.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "antipode/error.hpp"
#include "io/bvgraph.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

constexpr std::string_view kBlanks = " \t\r\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

struct Property {
  std::string_view value;
  std::uint64_t line;
};
using Properties = std::map<std::string_view, Property>;

// "key=value", also with ':' or a blank between; '#' and '!' start comments. The keys that are
// wanted have neither escapes nor further lines.
Properties parse_lines(std::string_view text) {
  Properties properties;
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view all = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (all.empty() || all.front() == '#' || all.front() == '!') continue;
    const std::size_t key = std::min(all.find_first_of("=: \t\f"), all.size());
    std::string_view value = trimmed(all.substr(key));
    if (value.starts_with('=') || value.starts_with(':')) value = trimmed(value.substr(1));
    properties[all.substr(0, key)] = {value, line};  // the last counts, as in Java
  }
  return properties;
}

constexpr struct {
  std::string_view name;
  Coding coding;
} kCodings[] = {{"UNARY", Coding::unary},   {"GAMMA", Coding::gamma}, {"DELTA", Coding::delta},
                {"GOLOMB", Coding::golomb}, {"ZETA", Coding::zeta},   {"NIBBLE", Coding::nibble}};

constexpr struct {
  std::string_view name;
  Coding BvProperties::*field;
  std::string_view codings;
} kFields[] = {{"OUTDEGREES", &BvProperties::degrees, "GAMMA DELTA"},
               {"REFERENCES", &BvProperties::references, "UNARY GAMMA DELTA"},
               {"BLOCK_COUNT", &BvProperties::block_counts, "UNARY GAMMA DELTA"},
               {"BLOCKS", &BvProperties::blocks, "UNARY GAMMA DELTA"},
               {"RESIDUALS", &BvProperties::residuals, "GAMMA DELTA GOLOMB ZETA NIBBLE"},
               {"OFFSETS", &BvProperties::offsets, "GAMMA DELTA"}};

class Parser {
 public:
  Parser(const std::string& name, std::string_view text)
      : name_(name), properties_(parse_lines(text)) {}

  BvProperties run() {
    check_class();
    check_version();
    const std::uint64_t nodes = number("nodes");
    result_.order = checked_order(nodes, where("nodes"));
    result_.arcs = number("arcs");
    result_.window = number("windowsize");
    result_.min_interval = number("minintervallength");
    if (properties_.contains("zetak")) {
      constexpr std::uint64_t kMost = 31;
      const std::uint64_t k = number("zetak");
      if (k < 1 || k > kMost) refuse("zetak", fmt::format("is not between 1 and {}", kMost));
      result_.k = static_cast<unsigned>(k);
    }
    if (properties_.contains("compressionflags")) parse_flags();
    return result_;
  }

 private:
  std::string where(std::string_view key) const {
    return fmt::format("{}:{}", name_, properties_.at(key).line);
  }
  [[noreturn]] void refuse(std::string_view key, const std::string& what) const {
    throw InputError(where(key),
                     fmt::format("{} {} {}", key, show(properties_.at(key).value), what));
  }
  std::string_view text(std::string_view key) const {
    const auto found = properties_.find(key);
    if (found == properties_.end())
      throw InputError(name_, fmt::format("no line '{}=…', which a BVGraph needs", key));
    return found->second.value;
  }
  std::uint64_t number(std::string_view key) const {
    const std::string_view value = text(key);
    std::uint64_t result = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (error != std::errc{} || end != value.data() + value.size())
      refuse(key, "is not a whole number of at most 64 bits");
    return result;
  }

  void check_class() const {
    std::string name(text("graphclass"));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.ends_with(".bvgraph")) return;
    const auto inner = properties_.find("underlyinggraph");
    refuse("graphclass",
           inner == properties_.end()
               ? "is not read: only BVGraph is; WebGraph's BVGraph class stores others as one"
               : fmt::format("is not read; its arcs without labels are in the graph {}",
                             show(inner->second.value)));
  }
  void check_version() const {
    const auto order = properties_.find("endianness");
    if (order != properties_.end() && order->second.value != "big")
      refuse("endianness", "is not read: only big-endian streams are; write the graph as such");
    if (number("version") != 0) refuse("version", "is not read: only version 0 is");
  }

  // "OUTDEGREES_DELTA|RESIDUALS_GAMMA": what is not named has its default.
  void parse_flags() {
    for (std::string_view rest = text("compressionflags"); !rest.empty();) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      const std::string_view flag = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!flag.empty() && !take_flag(flag))
        throw InputError(where("compressionflags"),
                         fmt::format("an unknown compression flag {}", show(flag)));
    }
  }
  bool take_flag(std::string_view flag) {
    const std::size_t dash = flag.rfind('_');
    if (dash == std::string_view::npos) return false;
    const std::string_view coding = flag.substr(dash + 1);
    for (const auto& field : kFields) {
      if (flag.substr(0, dash) != field.name) continue;
      for (Tokens allowed(field.codings); allowed.next();) {
        if (allowed.word() != coding) continue;
        for (const auto& known : kCodings)
          if (known.name == coding) result_.*field.field = known.coding;
        return true;
      }
    }
    return false;
  }

  const std::string& name_;
  Properties properties_;
  BvProperties result_;
};

}  // namespace

BvProperties parse_bv_properties(const std::string& name, std::string_view text) {
  return Parser(name, text).run();
}

std::string bv_graph_class(std::string_view text) {
  const Properties properties = parse_lines(text);
  const auto found = properties.find("graphclass");
  return found == properties.end() ? "" : std::string(found->second.value);
}

}  // namespace antipode
