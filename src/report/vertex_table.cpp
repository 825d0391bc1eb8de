#include "report/common.hpp"

namespace antipode::report {

namespace {

std::string headline(const TableReport& answer) {
  if (answer.finished())
    return fmt::format("table written: {} rows of {} columns ({})\n", group_digits(answer.rows),
                       answer.columns.size(), answer.format);
  return fmt::format("table not written (stopped early): {} {} not complete\n",
                     fmt::join(answer.incomplete, ", "),
                     answer.incomplete.size() == 1 ? "is" : "are");
}

}  // namespace

std::string render(const Context& context, const TableReport& answer, Style style) {
  if (style == Style::json) {
    Json json = Json::object();
    json["value"] = answer.finished() ? Json(answer.file) : Json(nullptr);
    json["exact"] = answer.finished() && answer.samples == 0;
    json["format"] = answer.format;
    json["rows"] = answer.rows;
    json["columns"] = answer.columns;
    if (!answer.finished()) json["incomplete"] = answer.incomplete;
    if (answer.samples > 0) json["samples"] = answer.samples;
    json["searches"] = answer.searches;
    return json_text(context, json);
  }
  std::string text = headline(answer);
  if (answer.finished()) text += fmt::format("  file      {}\n", printable(answer.file));
  text += fmt::format("  columns   {}\n", fmt::join(answer.columns, ", "));
  if (answer.samples > 0)
    text += fmt::format("  sample    betweenness is an estimate from {} sources\n",
                        group_digits(answer.samples));
  return text + fmt::format("  searches  {}\n", group_digits(answer.searches)) +
         context_lines(context);
}

}  // namespace antipode::report
