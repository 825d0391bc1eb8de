#include "report/common.hpp"

namespace antipode::report {

namespace {

// What a 1 in the file stands for: numbers there are whole.
std::string unit_of_rows(const Context& context) {
  return to_text(1, {1, context.unit.decimals, context.unit.halvings});
}

}  // namespace

std::string render(const Context& context, const DistancesReport& answer, Style style) {
  if (style == Style::json) {
    Json json = Json::object();
    json["value"] = answer.finished ? Json(answer.file) : Json(nullptr);
    json["exact"] = answer.finished;
    json["format"] = answer.format;
    json["rows"] = answer.rows;
    json["columns"] = answer.columns;
    json["bytes"] = answer.bytes;
    if (context.weighted && answer.format != "text") json["unit_of_rows"] = unit_of_rows(context);
    json["checksum"] = fmt::format("{:016x}", answer.checksum);
    json["searches"] = answer.searches;
    return json_text(context, json);
  }
  const std::string head =
      answer.finished
          ? fmt::format("distances written: {} rows of {} ({})\n", group_digits(answer.rows),
                        group_digits(answer.columns), answer.format)
          : fmt::format("distances not all written (stopped early, after {} of {} rows)\n",
                        group_digits(answer.searches), group_digits(answer.rows));
  const std::string unit =
      context.weighted && answer.format != "text" && context.unit != LengthUnit{}
          ? fmt::format("  numbers   times {} are the lengths of the graph's file\n",
                        unit_of_rows(context))
          : "";
  return head + unit +
         fmt::format("  file      {}, checksum {:016x}\n", printable(answer.file),
                     answer.checksum) +
         context_lines(context);
}

}  // namespace antipode::report
