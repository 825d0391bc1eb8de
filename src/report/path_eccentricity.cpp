// Radius, center, periphery and eccentricities with lengths or directions.
#include <algorithm>
#include <map>

#include "report/common.hpp"
#include "report/paths.hpp"

namespace antipode::report {

namespace {

std::string range_text(Length lower, Length upper, const LengthUnit& unit) {
  if (lower == upper) return to_text(lower, unit);
  return fmt::format("between {} and {}", to_text(lower, unit), to_text(upper, unit));
}

const char* bound_name(Question question) {
  return question == Question::periphery ? "diameter" : "radius";
}

std::string members_text(const PathSetReport& answer) {
  constexpr std::size_t kShown = 20;
  std::string text = "  vertices ";
  for (std::size_t i = 0; i < std::min(kShown, answer.members.size()); ++i)
    text += " " + printable(answer.graph.label(answer.members[i]));
  if (answer.members.size() > kShown)
    text += fmt::format(" … ({} more: --output FILE or --json)",
                        group_digits(answer.members.size() - kShown));
  return text + "\n";
}

std::string headline(const PathSetReport& answer) {
  const std::string name(question_name(answer.question));
  const std::string value = range_text(answer.lower, answer.upper, answer.graph.unit());
  if (answer.undefined)
    return answer.graph.order() == 0
               ? name + " undefined: the graph has no vertices\n"
               : name + " undefined: no vertex reaches all others along the arcs\n";
  if (answer.question == Question::radius)
    return fmt::format("radius {}{}\n", value, answer.exact ? "" : " (stopped early)");
  const char* const bound = bound_name(answer.question);
  if (!answer.exact)
    return fmt::format("{} not settled (stopped early); {} {}\n", name, bound, value);
  return fmt::format("{}: {} vertices of eccentricity {}, the {}\n", name,
                     group_digits(answer.members.size()), value, bound) +
         members_text(answer);
}

Json set_json(const PathSetReport& answer) {
  const LengthUnit& unit = answer.graph.unit();
  Json json = Json::object();
  const bool known = answer.exact && !answer.undefined;
  json["value"] = nullptr;
  if (answer.question == Question::radius) {
    if (known) set_length(json, "value", answer.lower, unit);
  } else {
    Json members = Json::array();
    for (const Vertex v : answer.members) members.push_back(label_json(answer.graph, v));
    if (known) json["value"] = std::move(members);
    json["count"] = known ? Json(answer.members.size()) : Json(nullptr);
  }
  set_length(json, "lower", answer.undefined ? kNoPath : answer.lower, unit);
  set_length(json, "upper", answer.undefined ? kNoPath : answer.upper, unit);
  json["exact"] = answer.exact;
  if (answer.undefined) json["undefined"] = true;
  if (answer.reach_all) json["reach_all"] = *answer.reach_all;
  json["witness"] = witness_json(answer.graph, answer.witness);
  json["searches"] = answer.searches;
  return json;
}

std::string witness_text(const Context& context, const Graph& graph, const Witness& witness) {
  if (witness.from == kNoVertex) return {};
  return fmt::format("  between   {} and {}\n", printable(graph.label(witness.from)),
                     printable(graph.label(witness.to))) +
         path_lines(context, graph, witness);
}

}  // namespace

std::string render(const Context& context, const PathSetReport& answer, Style style) {
  if (style == Style::json) return json_text(context, set_json(answer));
  std::string text = headline(answer) + witness_text(context, answer.graph, answer.witness);
  if (answer.reach_all && answer.exact)
    text += fmt::format("  reach     {} of {} vertices reach all others\n",
                        group_digits(*answer.reach_all), group_digits(answer.graph.order()));
  return text + fmt::format("  searches  {}\n", group_digits(answer.searches)) +
         context_lines(context);
}

namespace {

// Of the vertices that reach all others, or that all others reach.
struct Central {
  Vertex count = 0;
  Length radius = kNoPath;  // kNoPath: there is none
};

Central central(const PathEccentricities& found) {
  Central result;
  for (std::size_t v = 0; v < found.lower.size(); ++v) {
    if (found.reached[v] != found.lower.size()) continue;
    ++result.count;
    result.radius = std::min(result.radius, found.lower[v]);
  }
  return result;
}

Length largest(const std::vector<Length>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

std::map<Length, Vertex> distribution(const PathEccentricities& found) {
  std::map<Length, Vertex> counts;
  for (const Length value : found.lower) ++counts[value];
  return counts;
}

Json distribution_json(const PathEccentricities& found, const LengthUnit& unit) {
  Json json = Json::object();
  for (const auto& [value, count] : distribution(found)) json[to_text(value, unit)] = count;
  return json;
}

void set_side(Json& json, const PathEccentricities& found, const LengthUnit& unit) {
  json["value"] = found.exact ? distribution_json(found, unit) : Json(nullptr);
  set_length(json, "lower", largest(found.lower), unit);
  set_length(json, "upper", largest(found.upper), unit);
  set_length(json, "radius", found.exact ? central(found).radius : kNoPath, unit);
}

Json eccentricity_json(const PathEccentricityReport& answer) {
  const LengthUnit& unit = answer.graph.unit();
  Json json = Json::object();
  set_side(json, answer.out, unit);
  const Length diameter = largest(answer.out.lower);
  set_length(json, "diameter", answer.exact() ? diameter : kNoPath, unit);
  json["exact"] = answer.exact();
  if (answer.in) {
    json["reach_all"] = answer.out.exact ? Json(central(answer.out).count) : Json(nullptr);
    Json in = Json::object();
    set_side(in, *answer.in, unit);
    in["reached_by_all"] = answer.in->exact ? Json(central(*answer.in).count) : Json(nullptr);
    json["in"] = std::move(in);
  }
  json["witness"] = witness_json(answer.graph, answer.witness);
  json["searches"] = answer.out.searches + (answer.in ? answer.in->searches : 0);
  return json;
}

std::string side_text(const PathEccentricities& found, const Graph& graph, const char* name,
                      const char* direction) {
  const LengthUnit& unit = graph.unit();
  const auto [least, most] = std::minmax_element(found.lower.begin(), found.lower.end());
  const Central all = central(found);
  std::string text = fmt::format("{} from {} to {}{}; ", name, to_text(*least, unit),
                                 to_text(*most, unit), direction);
  text += all.count > 0 ? fmt::format("the radius is {}\n", to_text(all.radius, unit))
                        : "no vertex reaches all others, so there is no radius\n";
  return text;
}

std::string distribution_text(const PathEccentricities& found, const Graph& graph) {
  if (graph.has_lengths()) return bins_text(bins_of(found.lower), graph.unit(), "eccentricities");
  std::string text;
  for (const auto& [value, count] : distribution(found))
    text += fmt::format("  {:>8}  {:>12} vertices\n", value, group_digits(count));
  return text;
}

std::string reach_text(const PathEccentricityReport& answer) {
  return fmt::format(
      "  reach     {} of {} vertices reach all others, {} are reached by all; distances to those "
      "not reached do not count\n",
      group_digits(central(answer.out).count), group_digits(answer.graph.order()),
      group_digits(central(*answer.in).count));
}

std::string eccentricity_text(const PathEccentricityReport& answer) {
  const LengthUnit& unit = answer.graph.unit();
  if (!answer.exact())
    return fmt::format("eccentricities not all settled (stopped early); diameter {}\n",
                       range_text(largest(answer.out.lower), largest(answer.out.upper), unit));
  if (!answer.in)
    return fmt::format("eccentricities from {} (radius) to {} (diameter)\n",
                       to_text(central(answer.out).radius, unit),
                       to_text(largest(answer.out.lower), unit)) +
           distribution_text(answer.out, answer.graph);
  std::string text = side_text(answer.out, answer.graph, "eccentricities", " along arcs") +
                     distribution_text(answer.out, answer.graph);
  const Central in = central(*answer.in);
  text += fmt::format(
      "against arcs from {} to {}; {}\n",
      to_text(*std::min_element(answer.in->lower.begin(), answer.in->lower.end()), unit),
      to_text(largest(answer.in->lower), unit),
      in.count > 0 ? fmt::format("the radius is {}", to_text(in.radius, unit))
                   : "all others reach no vertex, so there is no radius");
  return text + distribution_text(*answer.in, answer.graph) + reach_text(answer);
}

}  // namespace

std::string render(const Context& context, const PathEccentricityReport& answer, Style style) {
  if (style == Style::json) {
    if (!answer.undefined) return json_text(context, eccentricity_json(answer));
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
  const std::uint64_t searches = answer.out.searches + (answer.in ? answer.in->searches : 0);
  return eccentricity_text(answer) + witness_text(context, answer.graph, answer.witness) +
         fmt::format("  searches  {}\n", group_digits(searches)) + context_lines(context);
}

}  // namespace antipode::report
