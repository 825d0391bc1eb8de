#include <charconv>

#include "report/common.hpp"

namespace antipode::report {

namespace {

constexpr double kMost = 0.9;

double mean_of(const PathAverage& a, const LengthUnit& unit) {
  return a.reachable == 0 ? 0 : sum_to_double(a.sum, unit) / static_cast<double>(a.reachable);
}

std::optional<double> variance_of(const PathAverage& a, const LengthUnit& unit) {
  const double one = to_double(1, unit);
  const auto variance = a.variance();
  return variance ? std::optional(*variance * one * one) : std::nullopt;
}

// Digits alone, as far as every reader of JSON has them; then the nearest double, and the digits as
// text.
void set_sum(Json& json, LengthSum sum, const LengthUnit& unit) {
  const std::string text = sum_to_text(sum, unit);
  std::uint64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error == std::errc() && end == text.data() + text.size()) {
    json["sum"] = whole;
  } else {
    json["sum"] = sum_to_double(sum, unit);
    json["sum_text"] = text;
  }
}

Json range_json(const PathAverage::Range& range, const LengthUnit& unit) {
  return {length_json(range.least, unit), length_json(range.most, unit)};
}

void set_distribution(Json& json, const PathAverage& a, const LengthUnit& unit) {
  const auto variance = variance_of(a, unit);
  json["variance"] = variance ? Json(*variance) : Json(nullptr);
  json["median_within"] = a.reachable > 0 ? range_json(a.quantile(0.5), unit) : Json(nullptr);
  json["nine_tenths_within"] =
      a.reachable > 0 ? range_json(a.quantile(kMost), unit) : Json(nullptr);
  set_length(json, "bin_width", a.distribution->width, unit);
  json["distribution"] = a.distribution->pairs;
}

Json whole_json(const PathAverageReport& answer, const LengthUnit& unit) {
  if (answer.undefined)
    return {{"value", nullptr}, {"exact", true}, {"undefined", true}, {"searches", 0}};
  const PathAverage& a = answer.average;
  const double mean = mean_of(a, unit);
  Json json = Json::object();
  json["value"] = a.finished && a.reachable > 0 ? Json(mean) : Json(nullptr);
  json["exact"] = a.exact();
  if (a.exact() && a.reachable == 0) json["undefined"] = true;
  json["sampled"] = a.sampled;
  if (a.sampled && a.finished) {
    const double error = a.error.value_or(0) * to_double(1, unit);
    json["confidence_95"] = a.error ? Json{mean - error, mean + error} : Json(nullptr);
  }
  set_sum(json, a.sum, unit);
  json["reachable_pairs"] = a.reachable;
  json["unreachable_pairs"] = a.unreachable;
  set_length(json, "shortest", a.shortest, unit);
  set_length(json, a.exact() ? "diameter" : "longest", a.longest, unit);
  if (a.distribution) set_distribution(json, a, unit);
  json["searches"] = a.sources;
  return json;
}

std::string headline(const PathAverageReport& answer, const LengthUnit& unit) {
  const PathAverage& a = answer.average;
  const double mean = mean_of(a, unit);
  if (a.exact() && a.reachable == 0)
    return "average distance undefined: no vertex reaches another\n";
  if (a.exact()) return fmt::format("average distance {:.9f}\n", mean);
  const std::string from =
      fmt::format("{} of {} sources", group_digits(a.sources), group_digits(answer.order));
  if (!a.finished) return fmt::format("average distance unknown (stopped early, after {})\n", from);
  if (a.reachable == 0)
    return fmt::format(
        "average distance unknown: no source reaches another vertex (an estimate from {})\n", from);
  if (!a.error)
    return fmt::format(
        "average distance about {:.6f} (an estimate from {}; no interval: the sources are too few "
        "or too much alike, or a few of them make most of the difference)\n",
        mean, from);
  return fmt::format(
      "average distance about {:.6f} ± {:.6f} (95 % confidence; an estimate from {})\n", mean,
      *a.error * to_double(1, unit), from);
}

std::string range_text(const PathAverage::Range& range, const LengthUnit& unit) {
  const std::string least = to_text(range.least, unit);
  return range.least == range.most ? least
                                   : fmt::format("{} … {}", least, to_text(range.most, unit));
}

std::string distribution_text(const PathAverage& a, const LengthUnit& unit) {
  const auto variance = variance_of(a, unit);
  std::string text = fmt::format(
      "  spread    median {}, nine tenths within {}, variance {}\n",
      range_text(a.quantile(0.5), unit), range_text(a.quantile(kMost), unit),
      variance ? fmt::format("{:.6f}", *variance) : "unknown (its squares are beyond 128 bits)");
  text +=
      fmt::format("  distances in bins of {}, each from\n", to_text(a.distribution->width, unit));
  for (std::size_t i = 0; i < a.distribution->pairs.size(); ++i)
    if (a.distribution->pairs[i] > 0)
      text += fmt::format("  {:>16}  {:>20}\n", to_text(i * a.distribution->width, unit),
                          group_digits(a.distribution->pairs[i]));
  return text;
}

std::string whole_text(const PathAverageReport& answer, const LengthUnit& unit) {
  if (answer.undefined) return "average distance undefined: the graph has no vertices\n";
  const PathAverage& a = answer.average;
  std::string text = headline(answer, unit);
  text += fmt::format("  pairs     {} reachable, {} unreachable (ordered{})\n",
                      group_digits(a.reachable), group_digits(a.unreachable),
                      a.exact() ? "" : ", from the sources searched");
  text += fmt::format("  {}   {} / {}\n", a.exact() ? "exactly" : "counted",
                      sum_to_text(a.sum, unit), a.reachable);
  if (a.reachable > 0)
    text +=
        fmt::format("  distances {} … {}\n", to_text(a.shortest, unit), to_text(a.longest, unit));
  if (a.distribution && a.reachable > 0) text += distribution_text(a, unit);
  return text;
}

}  // namespace

std::string render(const Context& context, const PathAverageReport& answer, Style style) {
  if (style == Style::text) return whole_text(answer, context.unit) + context_lines(context);
  return json_text(context, whole_json(answer, context.unit));
}

}  // namespace antipode::report
