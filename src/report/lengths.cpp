// Lengths in the unit of their file, paths with the lengths of their edges, and how lengths are
// distributed.
#include <algorithm>
#include <charconv>
#include <optional>

#include "report/common.hpp"

namespace antipode::report {

namespace {

// Digits alone, and few enough of them: every reader of JSON has whole numbers of 64 bits.
std::optional<std::uint64_t> whole_number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Json length_json(Length length, const LengthUnit& unit) {
  if (length == kNoPath) return nullptr;
  const std::string text = to_text(length, unit);
  if (const auto whole = whole_number(text)) return *whole;
  double nearest = 0;
  std::from_chars(text.data(), text.data() + text.size(), nearest);
  return nearest;
}

void set_length(Json& object, const std::string& name, Length length, const LengthUnit& unit) {
  object[name] = length_json(length, unit);
  if (object[name].is_number_float()) object[name + "_text"] = to_text(length, unit);
}

Json unit_json(const LengthUnit& unit) {
  return {{"factor", unit.factor}, {"decimals", unit.decimals}, {"halvings", unit.halvings}};
}

namespace {

Length length_between(const Graph& graph, Vertex from, Vertex to) {
  const auto around = graph.neighbors(from);
  const auto at = std::lower_bound(around.begin(), around.end(), to) - around.begin();
  return graph.adjacency().length(graph.offsets()[from] + static_cast<EdgeOffset>(at));
}

}  // namespace

Json witness_json(const Graph& graph, const Witness& witness) {
  if (witness.from == kNoVertex) return nullptr;
  Json path = Json::array();
  for (const Vertex v : witness.path) path.push_back(label_json(graph, v));
  Json json = {{"from", label_json(graph, witness.from)},
               {"to", label_json(graph, witness.to)},
               {"path", std::move(path)}};
  if (!graph.has_lengths()) return json;
  Json lengths = Json::array(), exact = Json::array();
  for (std::size_t i = 1; i < witness.path.size(); ++i) {
    const Length length = length_between(graph, witness.path[i - 1], witness.path[i]);
    lengths.push_back(length_json(length, graph.unit()));
    exact.push_back(to_text(length, graph.unit()));
  }
  const bool rounded = std::any_of(lengths.begin(), lengths.end(),
                                   [](const Json& l) { return l.is_number_float(); });
  json["lengths"] = std::move(lengths);
  if (rounded) json["lengths_text"] = std::move(exact);
  return json;
}

namespace {

constexpr std::size_t kLongPath = 40, kShownEnds = 8;  // vertices
constexpr const char* kMargin = "           ";

// The vertices from `first` up to `end` are not shown.
struct Gap {
  std::size_t first = 0, end = 0;
};
Gap gap_of(const Context& context, const Witness& witness) {
  const std::size_t count = witness.path.size();
  if (context.whole_path || count <= kLongPath) return {count, count};
  return {kShownEnds, count - kShownEnds};
}

std::string gap_line(const Gap& gap) {
  return fmt::format("{} … {} vertices left out; --path shows them …\n{}", kMargin,
                     group_digits(gap.end - gap.first), kMargin);
}

// As path_lines, with the length of every edge before its end, and at the end of a line the length
// of the path up to there.
std::string path_lines_with_lengths(const Graph& graph, const Witness& witness, const Gap& gap) {
  constexpr std::size_t kWidth = 80;
  const auto arrow = graph.is_directed() ? "> " : " ";
  std::string text = "  path     ", line = " " + printable(graph.label(witness.path.front()));
  Length sum = 0;
  const auto end_line = [&] { text += fmt::format("{} = {}\n", line, to_text(sum, graph.unit())); };
  for (std::size_t i = 1; i < witness.path.size(); ++i) {
    const Length length = length_between(graph, witness.path[i - 1], witness.path[i]);
    const std::string step = fmt::format(" -{}-{}{}", to_text(length, graph.unit()), arrow,
                                         printable(graph.label(witness.path[i])));
    if (i == gap.first) {
      end_line();
      text += gap_line(gap);
      line.clear();
    } else if (i > 1 && line.size() + step.size() > kWidth && !line.empty()) {
      end_line();
      text += kMargin;
      line.clear();
    }
    if (i < gap.first || i >= gap.end) line += step;
    sum += length;
  }
  end_line();
  return text;
}

}  // namespace

std::string path_lines(const Context& context, const Graph& graph, const Witness& witness) {
  if (witness.path.empty()) return {};
  const Gap gap = gap_of(context, witness);
  if (graph.has_lengths()) return path_lines_with_lengths(graph, witness, gap);
  constexpr std::size_t kWidth = 100;
  std::string text = "  path     ", line;
  for (std::size_t i = 0; i < witness.path.size(); ++i) {
    if (i == gap.first) {
      text += line + "\n" + gap_line(gap);
      line.clear();
      i = gap.end;
    }
    const std::string label = printable(graph.label(witness.path[i]));
    if (line.size() + label.size() + 1 > kWidth) {
      text += line + "\n" + kMargin;
      line.clear();
    }
    line += " " + label;
  }
  return text + line + "\n";
}

namespace {

// 1, 2 or 5 times a power of ten.
Length round_width(Length at_least) {
  for (Length ten = 1;; ten *= 10)
    for (const Length digit : {1, 2, 5})
      if (digit * ten >= at_least) return digit * ten;
}

}  // namespace

LengthBins bins_of(std::span<const Length> lengths) {
  constexpr Length kBins = 16;
  LengthBins bins;
  Length most = 0;
  for (const Length length : lengths)
    if (length != kNoPath) most = std::max(most, length);
  bins.width = round_width(most / kBins + 1);
  bins.counts.assign(most / bins.width + 1, 0);
  for (const Length length : lengths)
    if (length != kNoPath) ++bins.counts[length / bins.width];
  return bins;
}

std::string bins_text(const LengthBins& bins, const LengthUnit& unit, std::string_view of) {
  std::string text = fmt::format("  {} in bins of {}\n", of, to_text(bins.width, unit));
  for (std::size_t i = 0; i < bins.counts.size(); ++i)
    if (bins.counts[i] > 0)
      text += fmt::format("  {:>18} …  {:>12}\n", to_text(i * bins.width, unit),
                          group_digits(bins.counts[i]));
  return text;
}

Json bins_json(const LengthBins& bins, const LengthUnit& unit) {
  Json json = Json::object();
  set_length(json, "width", bins.width, unit);
  json["counts"] = bins.counts;
  return json;
}

}  // namespace antipode::report
