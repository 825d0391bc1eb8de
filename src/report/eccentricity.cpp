#include <algorithm>

#include "report/common.hpp"

namespace antipode::report {

namespace {

struct Range {
  Distance lower, upper;
};

Range range_of(const EccentricityReport& answer) {
  const auto& e = answer.eccentricities;
  const bool minimum = answer.question == Question::radius || answer.question == Question::center;
  return minimum ? Range{e.radius_lower(), e.radius_upper()}
                 : Range{e.diameter_lower(), e.diameter_upper()};
}

std::vector<Vertex> distribution_of(const Eccentricities& eccentricities) {
  std::vector<Vertex> counts;
  for (const Distance e : eccentricities.lower) {
    counts.resize(std::max<std::size_t>(counts.size(), std::size_t{e} + 1), 0);
    ++counts[e];
  }
  return counts;
}

Json distribution_json(const Eccentricities& eccentricities) {
  Json result = Json::object();
  const auto counts = distribution_of(eccentricities);
  for (std::size_t e = 0; e < counts.size(); ++e)
    if (counts[e] > 0) result[std::to_string(e)] = counts[e];
  return result;
}

// Radius and diameter are single values; the set-valued questions name the value that defines the
// set.
Json value_json(const EccentricityReport& answer) {
  const auto [lower, upper] = range_of(answer);
  const bool exact = answer.eccentricities.exact;
  Json json = Json::object();
  if (answer.question == Question::radius) {
    json["value"] = exact ? Json(lower) : Json(nullptr);
  } else if (answer.question == Question::eccentricity) {
    json["value"] = exact ? distribution_json(answer.eccentricities) : Json(nullptr);
  } else {
    Json members = Json::array();
    for (const Vertex v : answer.members) members.push_back(label_json(answer.graph, v));
    json["value"] = exact ? std::move(members) : Json(nullptr);
    json["count"] = exact ? Json(answer.members.size()) : Json(nullptr);
  }
  json["lower"] = lower;
  json["upper"] = upper;
  if (answer.question == Question::eccentricity) {
    json["radius"] = exact ? Json(answer.eccentricities.radius_lower()) : Json(nullptr);
    json["diameter"] = exact ? Json(answer.eccentricities.diameter_lower()) : Json(nullptr);
  }
  json["exact"] = exact;
  json["witness"] = witness_json(answer.graph, answer.witness);
  json["searches"] = answer.eccentricities.searches;
  return json;
}

std::string members_text(const EccentricityReport& answer) {
  constexpr std::size_t kShown = 20;
  std::string text = "  vertices ";
  for (std::size_t i = 0; i < std::min(kShown, answer.members.size()); ++i)
    text += " " + printable(answer.graph.label(answer.members[i]));
  if (answer.members.size() > kShown)
    text += fmt::format(" … ({} more: --output FILE or --json)",
                        group_digits(answer.members.size() - kShown));
  return text + "\n";
}

std::string headline(const EccentricityReport& answer) {
  const auto [lower, upper] = range_of(answer);
  const bool exact = answer.eccentricities.exact;
  const std::string value =
      lower == upper ? std::to_string(lower) : fmt::format("between {} and {}", lower, upper);
  switch (answer.question) {
    case Question::radius:
      return fmt::format("radius {}{}\n", value, exact ? "" : " (stopped early)");
    case Question::center:
      return exact ? fmt::format("center: {} vertices of eccentricity {}, the radius\n",
                                 group_digits(answer.members.size()), value) +
                         members_text(answer)
                   : fmt::format("center not settled (stopped early); radius {}\n", value);
    case Question::periphery:
      return exact ? fmt::format("periphery: {} vertices of eccentricity {}, the diameter\n",
                                 group_digits(answer.members.size()), value) +
                         members_text(answer)
                   : fmt::format("periphery not settled (stopped early); diameter {}\n", value);
    default:
      break;
  }
  if (!exact)
    return fmt::format("eccentricities not all settled (stopped early); diameter {}\n", value);
  std::string text = fmt::format("eccentricities from {} (radius) to {} (diameter)\n",
                                 answer.eccentricities.radius_lower(), value);
  const auto counts = distribution_of(answer.eccentricities);
  for (std::size_t e = 0; e < counts.size(); ++e)
    if (counts[e] > 0)
      text += fmt::format("  {:>8}  {:>12} vertices\n", e, group_digits(counts[e]));
  return text;
}

}  // namespace

std::string render(const Context& context, const EccentricityReport& answer, Style style) {
  if (style == Style::json) {
    if (!answer.undefined) return json_text(context, value_json(answer));
    return json_text(context, {{"value", nullptr},
                               {"lower", nullptr},
                               {"upper", nullptr},
                               {"exact", true},
                               {"undefined", true},
                               {"witness", nullptr},
                               {"searches", 0}});
  }
  if (answer.undefined)
    return context.measure + " undefined: the graph has no vertices\n" + context_lines(context);
  std::string text = headline(answer);
  if (answer.witness.from != kNoVertex)
    text +=
        fmt::format("  between   {} and {}\n", printable(answer.graph.label(answer.witness.from)),
                    printable(answer.graph.label(answer.witness.to)));
  text += path_lines(context, answer.graph, answer.witness);
  return text + fmt::format("  searches  {}\n", group_digits(answer.eccentricities.searches)) +
         context_lines(context);
}

}  // namespace antipode::report
