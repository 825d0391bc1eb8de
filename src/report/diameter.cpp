#include <algorithm>

#include "report/common.hpp"

namespace antipode::report {

namespace {

// null where it is not known.
void set_value(Json& answer, bool exact, Length value, const LengthUnit& unit) {
  if (exact)
    set_length(answer, "value", value, unit);
  else
    answer["value"] = nullptr;
}

Json value_json(const Graph& graph, const PathDiameter& diameter) {
  Json answer = Json::object();
  set_value(answer, diameter.exact(), diameter.lower, graph.unit());
  set_length(answer, "lower", diameter.lower, graph.unit());
  set_length(answer, "upper", diameter.upper, graph.unit());
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
               {{"from", label_json(answer.apart.graph, answer.apart.from)},
                {"to", label_json(answer.apart.graph, answer.apart.to)},
                {"path", nullptr}}},
              {"searches", 0}};
    case DiameterReport::Kind::per_component:
      break;
  }
  const auto longest = std::max_element(
      answer.parts.begin(), answer.parts.end(),
      [](const auto& a, const auto& b) { return a.diameter.lower < b.diameter.lower; });
  Json result = value_json(longest->graph, longest->diameter);
  Length upper = answer.widest_unsearched;
  std::uint64_t searches = 0;
  Json list = Json::array();
  for (const auto& part : answer.parts) {
    upper = std::max(upper, part.diameter.upper);
    searches += part.diameter.searches;
    Json entry = {{"vertices", part.graph.order()}, {"edges", part.graph.size()}};
    entry.update(value_json(part.graph, part.diameter));
    list.push_back(std::move(entry));
  }
  set_length(result, "upper", upper, longest->graph.unit());
  result["exact"] = answer.exact();
  set_value(result, answer.exact(), upper, longest->graph.unit());
  result["searches"] = searches;
  result["components"] = std::move(list);
  result["components_of_one_vertex"] = answer.trivial_components;
  if (answer.unsearched > 0) result["components_not_searched"] = answer.unsearched;
  return result;
}

std::string value_text(const PathDiameter& diameter, const LengthUnit& unit) {
  const std::string lower = to_text(diameter.lower, unit);
  if (diameter.exact()) return fmt::format("diameter {}\n", lower);
  return fmt::format("diameter between {} and {} (stopped early)\n", lower,
                     to_text(diameter.upper, unit));
}

std::string part_text(const Context& context, const Graph& graph, const PathDiameter& diameter) {
  std::string text = value_text(diameter, graph.unit());
  if (diameter.witness.from != kNoVertex)
    text += fmt::format("  between   {} and {}\n", printable(graph.label(diameter.witness.from)),
                        printable(graph.label(diameter.witness.to)));
  text += path_lines(context, graph, diameter.witness);
  text += fmt::format("  searches  {}", group_digits(diameter.searches));
  if (diameter.batches > 0)
    text += fmt::format(" one by one, {} in {} batches", group_digits(diameter.lanes),
                        group_digits(diameter.batches));
  return text + "\n";
}

std::string unreachable_text(const Unreachable& unreachable) {
  if (!unreachable.pairs) return "  pairs     without a path: not counted; --count-pairs does\n";
  return fmt::format("  pairs     {} ordered pairs have no path and do not count\n",
                     group_digits(*unreachable.pairs));
}

std::string whole_text(const Context& context, const DiameterReport& answer) {
  switch (answer.kind) {
    case DiameterReport::Kind::value:
      return part_text(context, answer.parts.front().graph, answer.parts.front().diameter);
    case DiameterReport::Kind::undefined:
      return "diameter undefined: the graph has no vertices\n";
    case DiameterReport::Kind::infinite:
      return fmt::format(
          "diameter infinite: {}\n  between   {} and {}, without a path\n",
          context.directed ? "not every vertex reaches every other" : "the graph is not connected",
          printable(answer.apart.graph.label(answer.apart.from)),
          printable(answer.apart.graph.label(answer.apart.to)));
    case DiameterReport::Kind::per_component:
      break;
  }
  std::string text;
  for (const auto& part : answer.parts)
    text +=
        fmt::format("component of {} vertices, {} edges: {}", group_digits(part.graph.order()),
                    group_digits(part.graph.size()), part_text(context, part.graph, part.diameter));
  if (answer.unsearched > 0)
    text += fmt::format("{} components not searched (stopped early): diameters of at most {}\n",
                        group_digits(answer.unsearched),
                        to_text(answer.widest_unsearched, context.unit));
  if (answer.trivial_components > 0)
    text += fmt::format("{} components of one vertex: diameter 0\n",
                        group_digits(answer.trivial_components));
  return text;
}

}  // namespace

PathDiameter in_lengths(const Diameter& diameter) {
  return {.lower = diameter.lower,
          .upper = diameter.upper,
          .witness = diameter.witness,
          .searches = diameter.searches,
          .batches = diameter.batches,
          .lanes = diameter.lanes,
          .steps = {}};
}

bool DiameterReport::exact() const {
  return unsearched == 0 && std::all_of(parts.begin(), parts.end(),
                                        [](const auto& part) { return part.diameter.exact(); });
}

std::string render(const Context& context, const DiameterReport& answer, Style style) {
  if (style == Style::text)
    return whole_text(context, answer) +
           (answer.unreachable ? unreachable_text(*answer.unreachable) : "") +
           context_lines(context);
  Json json = whole_json(answer);
  if (answer.unreachable)
    json["pairs_without_path"] =
        answer.unreachable->pairs ? Json(*answer.unreachable->pairs) : Json(nullptr);
  return json_text(context, json);
}

}  // namespace antipode::report
