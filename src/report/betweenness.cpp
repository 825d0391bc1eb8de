#include "report/common.hpp"

namespace antipode::report {

namespace {

struct Line {
  std::string name;  // as text
  Json where = Json::object();
  double value;
};

std::vector<Line> lines_of(const BetweennessReport& answer) {
  const auto& vertices = answer.betweenness.vertices;
  const auto& edges = answer.betweenness.edges;
  std::vector<Line> lines;
  if (answer.edges) {
    std::vector<double> values;
    for (const auto& each : edges) values.push_back(each.value);
    for (const auto& [place, value] : highest(values, answer.top)) {
      const std::string from = answer.graph.label(edges[place].edge.from),
                        to = answer.graph.label(edges[place].edge.to);
      lines.push_back({from + (answer.graph.is_directed() ? " → " : " – ") + to,
                       {{"edge", Json::array({label_json(answer.graph, edges[place].edge.from),
                                              label_json(answer.graph, edges[place].edge.to)})}},
                       value});
    }
  } else {
    for (const auto& [place, value] : highest(vertices, answer.top)) {
      const std::string name = answer.graph.label(static_cast<Vertex>(place));
      lines.push_back(
          {name, {{"vertex", label_json(answer.graph, static_cast<Vertex>(place))}}, value});
    }
  }
  return lines;
}

bool has_values(const BetweennessReport& answer) {
  return answer.betweenness.finished || !answer.betweenness.vertices.empty();
}

// What the values are worth: as it was asked for, or as it came out.
std::string guarantee_line(const BetweennessReport& answer) {
  const Betweenness& b = answer.betweenness;
  if (b.finished && answer.guarantee && !b.sampled)
    return "  surely    exact: a sample for this guarantee would be no smaller\n";
  if (!b.sampled || !has_values(answer)) return {};
  const bool as_asked = b.finished && answer.guarantee;
  const double epsilon = as_asked ? answer.guarantee->first : b.epsilon.value_or(1),
               delta = as_asked ? answer.guarantee->second : b.delta;
  if (!as_asked && epsilon >= 1) return "  surely    nothing yet: so few sources bound no error\n";
  const char* values =
      answer.normalized ? "every value" : "every value, divided by the number of pairs,";
  return fmt::format("  surely    {} within {:.6g} of the exact one, with probability {:g}\n",
                     values, epsilon, 1 - delta);
}

std::string headline(const BetweennessReport& answer) {
  const Betweenness& b = answer.betweenness;
  if (answer.graph.order() == 0) return "betweenness undefined: the graph has no vertices\n";
  if (!has_values(answer))
    return fmt::format("betweenness unknown (stopped early, after {} searches)\n",
                       group_digits(b.sources));
  if (!b.finished)
    return fmt::format(
        "betweenness estimated from {} of {} sources (stopped early), {}{}, the highest\n",
        group_digits(b.counted), group_digits(b.all_sources),
        answer.edges ? "of edges" : "of vertices", answer.normalized ? ", normalized" : "");
  return fmt::format(
      "betweenness of {}{}{}, the highest\n", answer.edges ? "edges" : "vertices",
      answer.normalized ? ", normalized" : "",
      b.sampled ? fmt::format(" (an estimate from {} sources)", group_digits(b.sources)) : "");
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
    json["value"] =
        has_values(answer) && answer.graph.order() > 0 ? std::move(value) : Json(nullptr);
    json["exact"] = b.finished && !b.sampled;
    json["sampled"] = b.sampled;
    if (answer.graph.order() == 0) json["undefined"] = true;
    json["of"] = answer.edges ? "edges" : "vertices";
    json["normalized"] = answer.normalized;
    if (answer.guarantee && b.finished)
      json["guarantee"] = {{"epsilon", b.sampled ? answer.guarantee->first : 0},
                           {"delta", b.sampled ? answer.guarantee->second : 0}};
    if (b.sampled && b.epsilon) json["epsilon"] = *b.epsilon, json["delta"] = b.delta;
    json["searches"] = b.sources;
    return json_text(context, json);
  }
  std::string text = headline(answer);
  text += guarantee_line(answer);
  for (const Line& line : lines)
    text += fmt::format("  {:>16}  {:.6f}\n", printable(line.name), line.value);
  return text + fmt::format("  searches  {}\n", group_digits(b.sources)) + context_lines(context);
}

}  // namespace antipode::report
