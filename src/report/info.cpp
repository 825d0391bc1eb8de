#include <algorithm>

#include "report/common.hpp"

namespace antipode::report {

namespace {

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

// The histogram in classes that double: 0, 1, 2–3, 4–7, …
std::string histogram_text(const std::vector<std::pair<Vertex, Vertex>>& degrees) {
  std::vector<std::uint64_t> classes;
  for (const auto& [degree, count] : degrees) {
    std::size_t index = 0;
    for (Vertex d = degree; d > 0; d /= 2) ++index;
    classes.resize(std::max(classes.size(), index + 1), 0);
    classes[index] += count;
  }
  const std::uint64_t most =
      classes.empty() ? 0 : *std::max_element(classes.begin(), classes.end());
  std::string text = "  degrees\n";
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::uint64_t from = i == 0 ? 0 : std::uint64_t{1} << (i - 1),
                        to = i == 0 ? 0 : (std::uint64_t{1} << i) - 1;
    const std::string range = from == to ? std::to_string(from) : fmt::format("{}–{}", from, to);
    text += fmt::format("  {:>21}  {:>12} {}\n", range, group_digits(classes[i]),
                        std::string(most == 0 ? 0 : classes[i] * 40 / most, '#'));
  }
  return text;
}

Json arcs_json(const Context& context, const ArcInfo& arcs) {
  return {{"count", context.edges},
          {"reciprocity", ratio(arcs.both_ways, context.edges)},
          {"strong_components", arcs.strong_components},
          {"largest_strong_component",
           {{"vertices", arcs.largest_vertices}, {"arcs", arcs.largest_arcs}}},
          {"most_out", arcs.most_out},
          {"most_in", arcs.most_in},
          {"reach_all", arcs.reach_all},
          {"reached_by_all", arcs.reached_by_all}};
}

std::string arcs_text(const Context& context, const ArcInfo& arcs) {
  std::string text = fmt::format("  arcs                  {:>16}\n", group_digits(context.edges));
  text += fmt::format("        both ways       {:>16.4f}\n", ratio(arcs.both_ways, context.edges));
  const std::pair<const char*, std::uint64_t> lines[] = {
      {"  strong components     ", arcs.strong_components},
      {"  largest: vertices     ", arcs.largest_vertices},
      {"           arcs         ", arcs.largest_arcs},
      {"  most: out             ", arcs.most_out},
      {"        in              ", arcs.most_in},
      {"  reach all others      ", arcs.reach_all},
      {"  reached by all others ", arcs.reached_by_all}};
  for (const auto& [name, value] : lines)
    text += fmt::format("{}{:>16}\n", name, group_digits(value));
  return text;
}

std::string lengths_text(const Context& context, const LengthInfo& lengths) {
  std::string text =
      fmt::format("  lengths: least        {:>16}\n           most         {:>16}\n",
                  to_text(lengths.least, context.unit), to_text(lengths.most, context.unit));
  if (lengths.zeros > 0)
    text += fmt::format("           zero         {:>16} edges\n", group_digits(lengths.zeros));
  if (context.unit != LengthUnit{})
    text += fmt::format("           multiples of {:>16}\n", to_text(1, context.unit));
  return text;
}

}  // namespace

std::string render(const Context& context, const InfoReport& info, Style style) {
  if (style == Style::json) {
    Json json = Json::object();
    json["vertices"] = context.vertices;
    json["edges"] = info.edges;
    json["components"] = context.components;
    json["largest_component"] = {
        {"vertices", info.largest_vertices},
        {"edges", info.largest_edges},
        {"triangles", info.largest_triangles},
        {"triangles_per_edge", ratio(info.largest_triangles, info.largest_edges)}};
    json["triangles"] = info.triangles;
    json["triangles_per_edge"] = ratio(info.triangles, info.edges);
    json["average_clustering"] = info.clustering;
    json["degree"] = {{"least", info.least_degree},
                      {"median", info.median_degree},
                      {"mean", info.mean_degree},
                      {"most", info.most_degree},
                      {"isolated", info.isolated}};
    Json histogram = Json::object();
    for (const auto& [degree, count] : info.degrees) histogram[std::to_string(degree)] = count;
    json["degree"]["histogram"] = std::move(histogram);
    if (info.arcs) json["arcs"] = arcs_json(context, *info.arcs);
    if (info.lengths) {
      json["lengths"] = Json::object();
      set_length(json["lengths"], "least", info.lengths->least, context.unit);
      set_length(json["lengths"], "most", info.lengths->most, context.unit);
      json["lengths"]["zeros"] = info.lengths->zeros;
    }
    json["fingerprint"] = fmt::format("{:016x}", info.fingerprint.hash);
    return json_text(context, json);
  }
  std::string text = fmt::format("{}\n", printable(context.graph_name));
  text += fmt::format(
      "  vertices              {:>16}\n  edges                 {:>16}\n  components            "
      "{:>16}\n",
      group_digits(context.vertices), group_digits(info.edges), group_digits(context.components));
  text += fmt::format(
      "  largest: vertices     {:>16}\n           edges        {:>16}\n           triangles    "
      "{:>16}\n",
      group_digits(info.largest_vertices), group_digits(info.largest_edges),
      group_digits(info.largest_triangles));
  text += fmt::format(
      "  triangles Δ           {:>16}\n  Δ/m                   {:>16.4f}\n  average clustering    "
      "{:>16.4f}\n",
      group_digits(info.triangles), ratio(info.triangles, info.edges), info.clustering);
  text += fmt::format(
      "  degree: least         {:>16}\n          median        {:>16}\n          mean          "
      "{:>16.4f}\n          most          {:>16}\n",
      group_digits(info.least_degree), group_digits(info.median_degree), info.mean_degree,
      group_digits(info.most_degree));
  if (info.arcs) text += arcs_text(context, *info.arcs);
  if (info.lengths) text += lengths_text(context, *info.lengths);
  text += fmt::format("  without edges         {:>16}\n", group_digits(info.isolated));
  text += fmt::format("  dropped: loops        {:>16}\n           repeats      {:>16}\n",
                      group_digits(context.loops), group_digits(context.repeats));
  text += dropped_lines(context);
  text += fmt::format("  fingerprint           {:016x}\n", info.fingerprint.hash);
  return text + histogram_text(info.degrees);
}

}  // namespace antipode::report
