#include "report/common.hpp"

namespace antipode::report {

namespace {

constexpr double kEffective = 0.9;

Json whole_json(const AverageReport& answer) {
  if (answer.undefined)
    return {{"value", nullptr}, {"exact", true}, {"undefined", true}, {"searches", 0}};
  const Average& a = answer.average;
  Json json = Json::object();
  json["value"] = a.finished && a.reachable > 0 ? Json(a.mean()) : Json(nullptr);
  json["exact"] = a.exact();
  if (a.exact() && a.reachable == 0) json["undefined"] = true;
  json["sampled"] = a.sampled;
  if (a.sampled && a.finished)
    json["confidence_95"] =
        a.error ? Json{a.mean() - *a.error, a.mean() + *a.error} : Json(nullptr);
  json["sum"] = a.sum;
  json["reachable_pairs"] = a.reachable;
  json["unreachable_pairs"] = a.unreachable;
  json["diameter"] = a.exact() ? Json(a.diameter()) : Json(nullptr);
  json["effective_diameter"] = a.effective_diameter(kEffective);
  json["median"] = a.median();
  json["variance"] = a.variance();
  json["distribution"] = a.pairs;
  json["searches"] = a.sources;
  return json;
}

std::string estimate_text(const Average& a, Vertex order) {
  const std::string from = fmt::format("an estimate from {} of {} sources", group_digits(a.sources),
                                       group_digits(order));
  if (a.reachable == 0)
    return fmt::format("average distance unknown: no source reaches another vertex ({})\n", from);
  if (!a.error)
    return fmt::format(
        "average distance about {:.6f} ({}; no interval: the sources are too few or too much "
        "alike, "
        "or a few of them make most of the difference)\n",
        a.mean(), from);
  return fmt::format("average distance about {:.6f} ± {:.6f} (95 % confidence; {})\n", a.mean(),
                     *a.error, from);
}

std::string whole_text(const AverageReport& answer) {
  if (answer.undefined) return "average distance undefined: the graph has no vertices\n";
  const Average& a = answer.average;
  std::string text;
  if (a.exact() && a.reachable == 0)
    text = "average distance undefined: no vertex reaches another\n";
  else if (a.exact())
    text = fmt::format("average distance {:.9f}\n", a.mean());
  else if (a.finished)
    text = estimate_text(a, answer.order);
  else
    text = fmt::format("average distance unknown (stopped early, after {} of {} sources)\n",
                       group_digits(a.sources), group_digits(answer.order));
  text += fmt::format("  pairs     {} reachable, {} unreachable (ordered{})\n",
                      group_digits(a.reachable), group_digits(a.unreachable),
                      a.exact() ? "" : ", from the sources searched");
  text += fmt::format("  {}   {} / {}\n", a.exact() ? "exactly" : "counted", a.sum, a.reachable);
  text +=
      fmt::format("  spread    median {}, variance {:.6f}, nine tenths within {:.4f}, largest {}\n",
                  a.median(), a.variance(), a.effective_diameter(kEffective), a.diameter());
  text += "  distances\n";
  for (std::size_t d = 1; d < a.pairs.size(); ++d)
    text += fmt::format("  {:>8}  {:>20}\n", d, group_digits(a.pairs[d]));
  return text;
}

}  // namespace

std::string render(const Context& context, const AverageReport& answer, Style style) {
  if (style == Style::text) return whole_text(answer) + context_lines(context);
  return json_text(context, whole_json(answer));
}

}  // namespace antipode::report
