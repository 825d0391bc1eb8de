#include "report/common.hpp"

namespace antipode::report {

std::string render(const Context& context, const DistancesReport& answer, Style style) {
  if (style == Style::json) {
    Json json = Json::object();
    json["value"] = answer.finished ? Json(answer.file) : Json(nullptr);
    json["exact"] = answer.finished;
    json["format"] = answer.format;
    json["rows"] = answer.rows;
    json["columns"] = answer.columns;
    json["bytes"] = answer.bytes;
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
  return head +
         fmt::format("  file      {}, checksum {:016x}\n", printable(answer.file),
                     answer.checksum) +
         context_lines(context);
}

}  // namespace antipode::report
