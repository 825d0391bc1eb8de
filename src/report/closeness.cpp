#include "report/common.hpp"

namespace antipode::report {

namespace {

std::string headline(const ClosenessReport& answer) {
  if (answer.graph.order() == 0) return "closeness undefined: the graph has no vertices\n";
  if (!answer.finished)
    return fmt::format("closeness unknown (stopped early, after {} searches)\n",
                       group_digits(answer.searches));
  return fmt::format("closeness ({}), the nearest {}\n", answer.formula,
                     group_digits(answer.ranking.size()));
}

}  // namespace

std::string render(const Context& context, const ClosenessReport& answer, Style style) {
  if (style == Style::json) {
    Json ranking = Json::array();
    for (const Ranked& each : answer.ranking)
      ranking.push_back({{"vertex", label_json(answer.graph, static_cast<Vertex>(each.place))},
                         {"value", each.value}});
    Json json = Json::object();
    json["value"] =
        answer.finished && answer.graph.order() > 0 ? std::move(ranking) : Json(nullptr);
    json["exact"] = answer.finished;
    if (answer.graph.order() == 0) json["undefined"] = true;
    json["formula"] = answer.formula;
    json["searches"] = answer.searches;
    return json_text(context, json);
  }
  std::string text = headline(answer);
  for (const Ranked& each : answer.ranking)
    text += fmt::format("  {:>16}  {:.9f}\n",
                        printable(answer.graph.label(static_cast<Vertex>(each.place))), each.value);
  return text + fmt::format("  searches  {}\n", group_digits(answer.searches)) +
         context_lines(context);
}

}  // namespace antipode::report
