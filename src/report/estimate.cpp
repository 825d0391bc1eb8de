#include "report/common.hpp"

namespace antipode::report {

std::string render(const Context& context, const EstimateReport& answer, Style style) {
  if (style == Style::json) {
    Json json;
    json["value"] = nullptr;
    json["exact"] = false;
    json["estimate"] = {{"seconds", answer.seconds}, {"memory_bytes", context.peak_memory}, {"sources", answer.sources}, {"sources_timed", answer.timed}};
    return json_text(context, json);
  }
  return fmt::format("{} would take about {} and {} MB\n  timed     {} of {} sources\n", context.measure, seconds_text(answer.seconds), grouped(context.peak_memory / 1'000'000), grouped(answer.timed), grouped(answer.sources)) +
         context_lines(context);
}

}  // namespace antipode::report
