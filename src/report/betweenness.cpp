#include <algorithm>
#include <numeric>

#include "report/common.hpp"

namespace antipode::report {

namespace {

// The places of the highest values, highest first; of equal ones the first.
template <class Value>
std::vector<std::size_t> highest(std::size_t count, std::size_t most, Value value) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto shown = places.begin() + static_cast<std::ptrdiff_t>(std::min(most, count));
  std::partial_sort(places.begin(), shown, places.end(), [&](std::size_t a, std::size_t b) { return value(a) != value(b) ? value(a) > value(b) : a < b; });
  places.erase(shown, places.end());
  return places;
}

struct Line {
  std::string name;                       // as text
  Json where;
  double value;
};

std::vector<Line> lines_of(const BetweennessReport& answer) {
  const auto& [vertices, edges, sources, sampled, finished] = answer.betweenness;
  std::vector<Line> lines;
  if (answer.edges) {
    for (const std::size_t i : highest(edges.size(), answer.top, [&](std::size_t k) { return edges[k].value; })) {
      const std::string from = answer.graph.label(edges[i].edge.from), to = answer.graph.label(edges[i].edge.to);
      lines.push_back({from + " – " + to, {{"edge", {from, to}}}, edges[i].value});
    }
  } else {
    for (const std::size_t v : highest(vertices.size(), answer.top, [&](std::size_t k) { return vertices[k]; })) {
      const std::string name = answer.graph.label(static_cast<Vertex>(v));
      lines.push_back({name, {{"vertex", name}}, vertices[v]});
    }
  }
  return lines;
}

std::string headline(const BetweennessReport& answer) {
  const Betweenness& b = answer.betweenness;
  if (answer.graph.order() == 0) return "betweenness undefined: the graph has no vertices\n";
  if (!b.finished) return fmt::format("betweenness unknown (stopped early, after {} searches)\n", grouped(b.sources));
  return fmt::format("betweenness of {}{}{}, the highest\n", answer.edges ? "edges" : "vertices", answer.normalized ? ", normalized" : "", b.sampled ? fmt::format(" (an estimate from {} sources)", grouped(b.sources)) : "");
}

}  // namespace

std::string render(const Context& context, const BetweennessReport& answer, Style style) {
  const Betweenness& b = answer.betweenness;
  const auto lines = lines_of(answer);
  if (style == Style::json) {
    Json json, value = Json::array();
    for (Line line : lines) {
      line.where["value"] = line.value;
      value.push_back(std::move(line.where));
    }
    json["value"] = b.finished && answer.graph.order() > 0 ? std::move(value) : Json(nullptr);
    json["exact"] = b.finished && !b.sampled;
    json["sampled"] = b.sampled;
    if (answer.graph.order() == 0) json["undefined"] = true;
    json["of"] = answer.edges ? "edges" : "vertices";
    json["normalized"] = answer.normalized;
    json["searches"] = b.sources;
    return json_text(context, json);
  }
  std::string text = headline(answer);
  for (const Line& line : lines) text += fmt::format("  {:>16}  {:.6f}\n", line.name, line.value);
  return text + fmt::format("  searches  {}\n", grouped(b.sources)) + context_lines(context);
}

}  // namespace antipode::report
