#include "report/common.hpp"

namespace antipode::report {

std::string render(const Context& context, const EstimateReport& answer, Style style) {
  if (style == Style::json) {
    Json json;
    json["value"] = nullptr;
    json["exact"] = false;
    json["estimate"] = {{"seconds", answer.seconds}, {"memory_bytes", context.peak_memory}, {"sources", answer.sources}, {"sources_timed", answer.timed}};
    if (answer.at_most > 0) json["estimate"]["seconds_at_most"] = answer.at_most;
    return json_text(context, json);
  }
  const std::string time = answer.at_most > 0 ? fmt::format("{} (a proof by few searches) to {} (all sources)", seconds_text(answer.seconds), seconds_text(answer.at_most)) : "about " + seconds_text(answer.seconds);
  return fmt::format("{} would take {}, and {} MB\n  timed     {} of {} sources\n", context.measure, time, grouped(context.peak_memory / 1'000'000), grouped(answer.timed), grouped(answer.sources)) + context_lines(context);
}

}  // namespace antipode::report
