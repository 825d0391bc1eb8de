// Parts as text:
//   antipode part 1
//   order 12
//   part 3
//   group 4            sizes of the cyclic groups; the last varies fastest
//   edges 5
//   0 1 2              from residue 0 to residue 1, shifted by element 2 of the group
#include <fmt/format.h>

#include <charconv>

#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "graph/limits.hpp"

namespace antipode::golf {

namespace {

constexpr std::string_view kFirst = "antipode part 1";

class Lines {
 public:
  Lines(const std::string& name, std::string_view text) : name_(name), rest_(text) {}

  std::string_view next() {
    ++number_;
    if (rest_.empty()) refuse("the file ends too early");
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  std::vector<Vertex> numbers(std::string_view line) const {
    std::vector<Vertex> result;
    while (!line.empty()) {
      if (line.front() == ' ' || line.front() == '\t') {
        line.remove_prefix(1);
        continue;
      }
      Vertex value = 0;
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
      if (error != std::errc{})
        refuse(fmt::format("a whole number expected, found '{}'", line.substr(0, 20)));
      line.remove_prefix(static_cast<std::size_t>(end - line.data()));
      push_charged(result, value);
    }
    return result;
  }
  Vertex single(std::string_view word) {
    const auto values = field(word);
    if (values.size() != 1) refuse(fmt::format("'{}' and one number expected", word));
    return values.front();
  }
  // The numbers after a word that must begin the next line.
  std::vector<Vertex> field(std::string_view word) {
    const std::string_view line = next();
    if (!line.starts_with(word))
      refuse(fmt::format("'{}' expected, found '{}'", word, line.substr(0, 20)));
    auto values = numbers(line.substr(word.size()));
    if (values.empty()) refuse(fmt::format("'{}' and a number expected", word));
    return values;
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}:{}", name_, number_), why);
  }
  bool at_end() const { return rest_.find_first_not_of(" \t\r\n") == std::string_view::npos; }

 private:
  const std::string& name_;
  std::string_view rest_;
  std::uint64_t number_ = 0;
};

}  // namespace

std::string to_text(const Part& part) {
  std::string text = fmt::format("{}\norder {}\npart {}\ngroup {}\nedges {}\n", kFirst, part.order,
                                 part.size, fmt::join(part.group, " "), part.edges.size());
  for (const PartEdge& e : part.edges) text += fmt::format("{} {} {}\n", e.from, e.to, e.shift);
  return text;
}

Part parse_part(const std::string& name, std::string_view text) {
  Lines lines(name, text);
  if (lines.next() != kFirst) lines.refuse(fmt::format("a part file opens with '{}'", kFirst));
  const Vertex order = lines.single("order"), size = lines.single("part");
  const auto group = lines.field("group");
  Part part;
  try {
    part = make_part(order, size, group);
  } catch (const UsageError& error) {
    lines.refuse(error.what());
  }
  const Vertex count = lines.single("edges");
  constexpr Vertex kCheck = 1 << 12;
  for (Vertex i = 0; i < count; ++i) {
    if (i % kCheck == 0) stop_if_asked();
    const auto edge = lines.numbers(lines.next());
    if (edge.size() != 3) lines.refuse("an edge is three numbers: from, to and shift");
    if (edge[0] >= size || edge[1] >= size)
      lines.refuse(fmt::format("the part has vertices 0 to {}", size - 1));
    if (edge[2] >= part.shifts())
      lines.refuse(fmt::format("shift {} in a group of {} elements", edge[2], part.shifts()));
    if (edge[0] == edge[1] && edge[2] == 0) lines.refuse("an edge from a vertex to itself");
    push_charged(part.edges, {edge[0], edge[1], edge[2]});
  }
  if (!lines.at_end()) lines.refuse(fmt::format("more than the {} edges promised", count));
  return part;
}

}  // namespace antipode::golf
