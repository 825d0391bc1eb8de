#include "report/common.hpp"

namespace antipode::report {

namespace {

// In the unit that a person would use.
std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour, kYear = 365.25 * kDay;
  if (seconds < 2 * kMinute) return seconds_text(seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 2 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
  if (seconds < 2 * kYear) return fmt::format("{:.0f} days", seconds / kDay);
  return fmt::format("{:.0f} years", seconds / kYear);
}

std::string time_text(const EstimateReport& answer) {
  if (answer.at_most > 0)
    return fmt::format("{} to {} ({})", duration_text(answer.seconds),
                       duration_text(answer.at_most),
                       answer.may_take_longer ? "or longer, if more than 256 searches are needed"
                                              : "if every candidate left must be searched");
  if (answer.factor > 1)
    return fmt::format("about {} ({} to {})", duration_text(answer.seconds),
                       duration_text(answer.seconds / answer.factor),
                       duration_text(answer.seconds * answer.factor));
  return "about " + duration_text(answer.seconds);
}

}  // namespace

std::string render(const Context& context, const EstimateReport& answer, Style style) {
  const std::uint64_t memory = std::max(answer.memory, context.peak_memory);
  if (style == Style::json) {
    Json json = Json::object();
    json["value"] = nullptr;
    json["exact"] = false;
    json["estimate"] = {{"seconds", answer.seconds},
                        {"memory_bytes", memory},
                        {answer.of, answer.sources},
                        {std::string(answer.of) + "_timed", answer.timed}};
    if (answer.at_most > 0)
      json["estimate"][answer.may_take_longer ? "seconds_typically_at_most" : "seconds_at_most"] =
          answer.at_most;
    else if (answer.factor > 1)
      json["estimate"]["seconds_at_least"] = answer.seconds / answer.factor,
      json["estimate"]["seconds_at_most"] = answer.seconds * answer.factor;
    if (context.sample < 1) json["estimate"]["share_of_edges"] = context.sample;
    if (answer.file > 0) json["estimate"]["file_bytes"] = answer.file;
    return json_text(context, json);
  }
  const std::string file =
      answer.file > 0 ? fmt::format(", for a file of {} MB", group_digits(answer.file / 1'000'000))
                      : "";
  return fmt::format("{} would take {}, and {} MB{}\n  timed     {} of {} {}\n", context.measure,
                     time_text(answer), group_digits(memory / 1'000'000), file,
                     group_digits(answer.timed), group_digits(answer.sources), answer.of) +
         (context.sample < 1
              ? fmt::format("  sample    {:.1f} % of the edges; times and memory are scaled up\n",
                            100 * context.sample)
              : "") +
         context_lines(context);
}

std::string render(const Context& context, const WrittenReport& answer, Style style) {
  if (style == Style::json) return json_text(context, {{"value", answer.file}, {"exact", true}});
  return fmt::format("{}: {} vertices, {} edges\n", answer.file, context.used_vertices,
                     context.used_edges);
}

}  // namespace antipode::report
