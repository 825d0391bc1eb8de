// The order/degree problem: a graph, the bounds, and how near it comes.
#include <numeric>

#include "report/common.hpp"

namespace antipode::report {

namespace {

std::string fraction(const golf::Fraction& value) {
  const std::uint64_t common =
      std::max<std::uint64_t>(1, std::gcd(value.numerator, value.denominator));
  return fmt::format("{} / {}", value.numerator / common, value.denominator / common);
}

Json bounds_json(const golf::MooreBounds& bounds) {
  return {{"diameter", bounds.diameter},
          {"average", bounds.average.value()},
          {"average_exactly", fraction(bounds.average)}};
}

}  // namespace

std::string render(const GolfReport& answer, Style style) {
  const double average = answer.average.value();
  if (style == Style::json) {
    Json json = {{"schema", kSchema},
                 {"measure", "golf"},
                 {"file", answer.file},
                 {"order", answer.order},
                 {"degree", answer.degree}};
    if (answer.part != 0) json["part"] = answer.part;
    add_dropped(json, answer.dropped);
    json["connected"] = answer.connected;
    json["value"] = {{"diameter", answer.connected ? Json(answer.diameter) : Json(nullptr)},
                     {"average", answer.connected ? Json(average) : Json(nullptr)}};
    if (answer.connected) json["average_exactly"] = fraction(answer.average);
    if (answer.bounds) {
      json["bounds"] = bounds_json(*answer.bounds);
      if (answer.connected)
        json["gap"] = {{"diameter", answer.diameter - answer.bounds->diameter},
                       {"average", average - answer.bounds->average.value()}};
    }
    if (answer.effort)
      json["effort"] = {{"evaluations", answer.effort->evaluations},
                        {"chains", answer.effort->chains},
                        {"seconds", answer.effort->seconds},
                        {"engine", answer.effort->engine},
                        {"finished", answer.effort->finished}};
    return dump(json, 2);
  }
  std::string text = answer.connected
                         ? fmt::format("diameter {}, average distance {:.7f}\n  exactly   {}\n",
                                       answer.diameter, average, fraction(answer.average))
                         : "diameter infinite: the graph is not connected\n";
  if (answer.bounds && answer.connected)
    text += fmt::format(
        "  bounds    diameter {}, average {:.7f}\n  gap       diameter {}, average {:.7f}\n",
        answer.bounds->diameter, answer.bounds->average.value(),
        answer.diameter - answer.bounds->diameter, average - answer.bounds->average.value());
  text += fmt::format("  graph     {}{} vertices of degree at most {}{}\n",
                      answer.file.empty() ? "" : answer.file + ": ", group_digits(answer.order),
                      answer.degree,
                      answer.part != 0 ? fmt::format(", a part of {}", answer.part) : "");
  if (answer.dropped.loops + answer.dropped.repeats > 0)
    text += fmt::format("  dropped   {} loops, {} repeated edges\n",
                        group_digits(answer.dropped.loops), group_digits(answer.dropped.repeats));
  text += dropped_lines(answer.dropped);
  if (answer.effort)
    text += fmt::format(
        "  effort    {} evaluations by {} chains in {} ({:.0f} a second), engine {}{}\n",
        group_digits(answer.effort->evaluations), answer.effort->chains,
        seconds_text(answer.effort->seconds),
        static_cast<double>(answer.effort->evaluations) / std::max(answer.effort->seconds, 1e-9),
        answer.effort->engine, answer.effort->finished ? "" : "; stopped early");
  return text;
}

std::string render(Vertex order, Vertex degree, const golf::MooreBounds& bounds, Style style) {
  if (style == Style::json)
    return dump({{"schema", kSchema},
                 {"measure", "golf bound"},
                 {"order", order},
                 {"degree", degree},
                 {"value", bounds_json(bounds)}},
                2);
  return fmt::format("diameter at least {}, average distance at least {:.9f}\n  exactly   {}\n",
                     bounds.diameter, bounds.average.value(), fraction(bounds.average));
}

}  // namespace antipode::report
