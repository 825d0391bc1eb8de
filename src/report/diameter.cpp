#include <algorithm>

#include "report/common.hpp"

namespace antipode::report {

namespace {

Json value_json(const Graph& graph, const Diameter& diameter) {
  Json answer = Json::object();
  answer["value"] = diameter.exact() ? Json(diameter.lower) : Json(nullptr);
  answer["lower"] = diameter.lower;
  answer["upper"] = diameter.upper;
  answer["exact"] = diameter.exact();
  answer["witness"] = witness_json(graph, diameter.witness);
  answer["searches"] = diameter.searches;
  answer["batches"] = diameter.batches;
  answer["lanes"] = diameter.lanes;
  return answer;
}

Json whole_json(const DiameterReport& answer) {
  switch (answer.kind) {
    case DiameterReport::Kind::value:
      return value_json(answer.parts.front().graph, answer.parts.front().diameter);
    case DiameterReport::Kind::undefined:
      return {{"value", nullptr},  {"lower", nullptr},   {"upper", nullptr}, {"exact", true},
              {"undefined", true}, {"witness", nullptr}, {"searches", 0}};
    case DiameterReport::Kind::infinite:
      return {{"value", nullptr},
              {"lower", nullptr},
              {"upper", nullptr},
              {"exact", true},
              {"infinite", true},
              {"witness",
               {{"from", answer.apart.first}, {"to", answer.apart.second}, {"path", nullptr}}},
              {"searches", 0}};
    case DiameterReport::Kind::per_component:
      break;
  }
  const auto longest = std::max_element(
      answer.parts.begin(), answer.parts.end(),
      [](const auto& a, const auto& b) { return a.diameter.lower < b.diameter.lower; });
  Json result = value_json(longest->graph, longest->diameter);
  Distance upper = answer.widest_unsearched;
  std::uint64_t searches = 0;
  Json list = Json::array();
  for (const auto& part : answer.parts) {
    upper = std::max(upper, part.diameter.upper);
    searches += part.diameter.searches;
    Json entry = {{"vertices", part.graph.order()}, {"edges", part.graph.size()}};
    entry.update(value_json(part.graph, part.diameter));
    list.push_back(std::move(entry));
  }
  result["upper"] = upper;
  result["exact"] = answer.exact();
  result["value"] = answer.exact() ? Json(upper) : Json(nullptr);
  result["searches"] = searches;
  result["components"] = std::move(list);
  result["components_of_one_vertex"] = answer.trivial_components;
  if (answer.unsearched > 0) result["components_not_searched"] = answer.unsearched;
  return result;
}

std::string value_text(const Diameter& diameter) {
  if (diameter.exact()) return fmt::format("diameter {}\n", diameter.lower);
  return fmt::format("diameter between {} and {} (stopped early)\n", diameter.lower,
                     diameter.upper);
}

std::string part_text(const Graph& graph, const Diameter& diameter) {
  std::string text = value_text(diameter);
  if (diameter.witness.from != kNoVertex)
    text += fmt::format("  between   {} and {}\n", printable(graph.label(diameter.witness.from)),
                        printable(graph.label(diameter.witness.to)));
  text += path_lines(graph, diameter.witness);
  text += fmt::format("  searches  {}", group_digits(diameter.searches));
  if (diameter.batches > 0)
    text += fmt::format(" one by one, {} in {} batches", group_digits(diameter.lanes),
                        group_digits(diameter.batches));
  return text + "\n";
}

std::string whole_text(const DiameterReport& answer) {
  switch (answer.kind) {
    case DiameterReport::Kind::value:
      return part_text(answer.parts.front().graph, answer.parts.front().diameter);
    case DiameterReport::Kind::undefined:
      return "diameter undefined: the graph has no vertices\n";
    case DiameterReport::Kind::infinite:
      return fmt::format(
          "diameter infinite: the graph is not connected\n  between   {} and {}, without a path\n",
          printable(answer.apart.first), printable(answer.apart.second));
    case DiameterReport::Kind::per_component:
      break;
  }
  std::string text;
  for (const auto& part : answer.parts)
    text += fmt::format("component of {} vertices, {} edges: {}", group_digits(part.graph.order()),
                        group_digits(part.graph.size()), part_text(part.graph, part.diameter));
  if (answer.unsearched > 0)
    text += fmt::format("{} components not searched (stopped early): diameters of at most {}\n",
                        group_digits(answer.unsearched), answer.widest_unsearched);
  if (answer.trivial_components > 0)
    text += fmt::format("{} components of one vertex: diameter 0\n",
                        group_digits(answer.trivial_components));
  return text;
}

}  // namespace

bool DiameterReport::exact() const {
  return unsearched == 0 && std::all_of(parts.begin(), parts.end(),
                                        [](const auto& part) { return part.diameter.exact(); });
}

std::string render(const Context& context, const DiameterReport& answer, Style style) {
  if (style == Style::text) return whole_text(answer) + context_lines(context);
  return json_text(context, whole_json(answer));
}

}  // namespace antipode::report
