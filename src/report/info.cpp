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

}  // namespace

std::string render(const Context& context, const InfoReport& info, Style style) {
  if (style == Style::json) {
    Json json = Json::object();
    json["vertices"] = context.vertices;
    json["edges"] = context.edges;
    json["components"] = context.components;
    json["largest_component"] = {
        {"vertices", info.largest_vertices},
        {"edges", info.largest_edges},
        {"triangles", info.largest_triangles},
        {"triangles_per_edge", ratio(info.largest_triangles, info.largest_edges)}};
    json["triangles"] = info.triangles;
    json["triangles_per_edge"] = ratio(info.triangles, context.edges);
    json["average_clustering"] = info.clustering;
    json["degree"] = {{"least", info.least_degree},
                      {"median", info.median_degree},
                      {"mean", info.mean_degree},
                      {"most", info.most_degree},
                      {"isolated", info.isolated}};
    Json histogram = Json::object();
    for (const auto& [degree, count] : info.degrees) histogram[std::to_string(degree)] = count;
    json["degree"]["histogram"] = std::move(histogram);
    json["fingerprint"] = fmt::format("{:016x}", info.fingerprint.hash);
    return json_text(context, json);
  }
  std::string text = fmt::format("{}\n", printable(context.graph_name));
  text += fmt::format(
      "  vertices              {:>16}\n  edges                 {:>16}\n  components            "
      "{:>16}\n",
      group_digits(context.vertices), group_digits(context.edges),
      group_digits(context.components));
  text += fmt::format(
      "  largest: vertices     {:>16}\n           edges        {:>16}\n           triangles    "
      "{:>16}\n",
      group_digits(info.largest_vertices), group_digits(info.largest_edges),
      group_digits(info.largest_triangles));
  text += fmt::format(
      "  triangles Δ           {:>16}\n  Δ/m                   {:>16.4f}\n  average clustering    "
      "{:>16.4f}\n",
      group_digits(info.triangles), ratio(info.triangles, context.edges), info.clustering);
  text += fmt::format(
      "  degree: least         {:>16}\n          median        {:>16}\n          mean          "
      "{:>16.4f}\n          most          {:>16}\n",
      group_digits(info.least_degree), group_digits(info.median_degree), info.mean_degree,
      group_digits(info.most_degree));
  text += fmt::format("  without edges         {:>16}\n", group_digits(info.isolated));
  text += fmt::format("  dropped: loops        {:>16}\n           repeats      {:>16}\n",
                      group_digits(context.loops), group_digits(context.repeats));
  text += dropped_lines(context);
  text += fmt::format("  fingerprint           {:016x}\n", info.fingerprint.hash);
  return text + histogram_text(info.degrees);
}

}  // namespace antipode::report
