// One search, and the list of engines.
#include "report/common.hpp"

namespace antipode::report {

std::string render(const Context& context, const SearchReport& answer, Style style) {
  const Search& search = answer.search;
  const std::string source = answer.graph.label(search.source),
                    farthest = answer.graph.label(search.farthest);
  if (style == Style::json) {
    return json_text(context, {{"value", search.eccentricity},
                               {"exact", true},
                               {"source", label_json(answer.graph, search.source)},
                               {"farthest", label_json(answer.graph, search.farthest)},
                               {"reached", search.reached},
                               {"unreached", answer.graph.order() - search.reached},
                               {"distance_sum", search.distance_sum},
                               {"levels", search.level_sizes},
                               {"searches", 1}});
  }
  std::string text = fmt::format(
      "search from {}: {} vertices reached, the farthest is {} at distance {}\n", printable(source),
      group_digits(search.reached), printable(farthest), search.eccentricity);
  if (search.reached < answer.graph.order())
    text += fmt::format("  unreached {}\n", group_digits(answer.graph.order() - search.reached));
  text += fmt::format("  sum       {}\n  levels\n", group_digits(search.distance_sum));
  for (std::size_t level = 0; level < search.level_sizes.size(); ++level)
    text += fmt::format("  {:>8}  {:>12}\n", level, group_digits(search.level_sizes[level]));
  return text + context_lines(context);
}

std::string render(const Context& context, const RelaxedReport& answer, Style style) {
  const Relaxed& search = answer.search;
  const std::string source = answer.graph.label(answer.source);
  if (style == Style::json)
    return json_text(context, {{"value", search.reached},
                               {"exact", true},
                               {"source", label_json(answer.graph, answer.source)},
                               {"reached", search.reached},
                               {"unreached", answer.graph.order() - search.reached},
                               {"passes", search.run.passes},
                               {"distances", nullptr},
                               {"searches", 1}});
  std::string text = fmt::format(
      "relaxed search from {}: {} vertices reached, in {} passes over all edges; it knows no "
      "distances\n",
      printable(source), group_digits(search.reached), search.run.passes);
  if (search.reached < answer.graph.order())
    text += fmt::format("  unreached {}\n", group_digits(answer.graph.order() - search.reached));
  return text + context_lines(context);
}

std::string render(const std::vector<EngineInfo>& engines, Style style) {
  if (style == Style::json) {
    Json list = Json::array();
    for (const auto& engine : engines) {
      list.push_back({{"name", engine.name},
                      {"usable", engine.usable},
                      {"detail", engine.detail},
                      {"kernels", engine.kernels}});
      list.back()["devices"] = Json::array();
      for (const auto& device : engine.devices)
        list.back()["devices"].push_back({{"number", device.number},
                                          {"platform", device.platform},
                                          {"name", device.name},
                                          {"version", device.version},
                                          {"driver", device.driver},
                                          {"memory", device.memory}});
    }
    return dump({{"schema", kSchema}, {"measure", "engines"}, {"value", std::move(list)}}, 2);
  }
  std::string text;
  for (const auto& engine : engines) {
    text += fmt::format("{:<8} {:<9} {}\n", engine.name, engine.usable ? "usable" : "unusable",
                        engine.detail);
    if (engine.kernels.size() > 1)
      text += fmt::format("{:18} kernels: {}\n", "", fmt::join(engine.kernels, " "));
    for (const auto& device : engine.devices)
      text +=
          fmt::format("{:18} device {}: {}, {} MiB, {}, {} {}\n", "", device.number, device.name,
                      device.memory >> 20, device.version, device.platform, device.driver);
  }
  return text;
}

}  // namespace antipode::report
