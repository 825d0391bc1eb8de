#include "report/common.hpp"

#include <algorithm>

namespace antipode::report {

std::string group_digits(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string_view question_name(Question question) {
  switch (question) {
    case Question::diameter:
      return "diameter";
    case Question::radius:
      return "radius";
    case Question::center:
      return "center";
    case Question::periphery:
      return "periphery";
    case Question::eccentricity:
      return "eccentricity";
  }
  return "";
}

std::string dump(const Json& json, int indent) {
  const std::string text = json.dump(indent, ' ', false, Json::error_handler_t::replace);
  std::string result;  // the library escapes what is below U+0020
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool high = byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (high || byte == 0x7F) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[high ? ++i : i]));
    } else {
      result += text[i];
    }
  }
  return result + "\n";
}

std::vector<Ranked> highest(const std::vector<double>& values, std::size_t most) {
  std::vector<Ranked> all;
  for (std::size_t place = 0; place < values.size(); ++place) all.push_back({place, values[place]});
  const auto shown = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
  std::partial_sort(all.begin(), shown, all.end(), [](const Ranked& a, const Ranked& b) {
    return a.value != b.value ? a.value > b.value : a.place < b.place;
  });
  all.erase(shown, all.end());
  return all;
}

Json label_json(const Graph& graph, Vertex v) {
  std::string label = graph.label(v);
  if (graph.labels().kind() == Labels::Kind::names) return label;
  return std::stoull(label);
}

void add_dropped(Json& graph, const Dropped& dropped) {
  graph["loops_dropped"] = dropped.loops;
  graph["repeats_dropped"] = dropped.repeats;
  if (dropped.lengths_dropped) graph["lengths"] = "not used";
  if (dropped.directions_dropped) graph["directions"] = "not used";
}

namespace {

Json elsewhere_json(const Context& context) {
  const WiderComponent& found = *context.elsewhere;
  Json json = Json::object();
  if (found.order > 0) json = {{"vertices", found.order}, {"diameter_at_least", found.at_least}};
  if (!context.surely_wider) json["certain"] = false;
  if (found.undecided > 0) json["components_undecided"] = found.undecided;
  return json;
}

std::string elsewhere_lines(const Context& context) {
  const WiderComponent& found = *context.elsewhere;
  std::string text;
  if (found.order > 0)
    text += fmt::format(
        "  elsewhere a component of {} vertices {}, at least {}: {}\n", group_digits(found.order),
        context.surely_wider ? "has a larger diameter" : "may have a larger diameter",
        group_digits(found.at_least), "diameter --disconnected per-component");
  if (found.undecided > 0)
    text += fmt::format("  elsewhere {} more components may have a larger diameter: {}\n",
                        group_digits(found.undecided), "diameter --disconnected per-component");
  return text;
}

}  // namespace

std::string json_text(const Context& context, const Json& fields) {
  Json answer = {{"schema", kSchema}, {"measure", context.measure}};
  answer.update(fields);
  if (context.elsewhere) answer["larger_elsewhere"] = elsewhere_json(context);
  Json graph = {{"name", context.graph_name},       {"format", context.format},
                {"vertices", context.vertices},     {"edges", context.edges},
                {"components", context.components}, {"used_vertices", context.used_vertices},
                {"used_edges", context.used_edges}};
  add_dropped(graph, context);
  if (context.directed) graph["directed"] = true;
  if (context.strong_components) graph["strong_components"] = *context.strong_components;
  if (context.weighted) {
    graph["lengths"] = "used";
    graph["unit"] = unit_json(context.unit);
  }
  if (!context.notices.empty()) graph["notices"] = context.notices;
  answer["graph"] = std::move(graph);
  if (!context.engine.empty()) {
    answer["engine"] = context.engine;
    answer["engine_detail"] = context.engine_detail;
  }
  answer["seconds"] = Json::object();
  for (const auto& [phase, seconds] : context.seconds) {
    answer["seconds"][phase] = seconds;
    // Sources times edges over seconds: what one search from each would have had to look at.
    const double searches = answer.value("searches", 0.0) + answer.value("lanes", 0.0);
    if (phase == "compute" && seconds > 0 && searches > 0 && context.resumed.empty())
      answer["edges_per_second"] = searches * static_cast<double>(context.used_edges) / seconds;
  }
  answer["peak_memory_bytes"] = context.peak_memory;
  if (!context.certificate.empty()) answer["certificate"] = context.certificate;
  if (!context.unwritten.empty()) answer["output_not_written"] = context.unwritten;
  if (!context.resumed.empty()) answer["resumed_from"] = context.resumed;
  if (context.form == Form::csv) return csv_rows(answer);
  constexpr int kIndent = 2;
  return dump(answer, context.form == Form::line ? -1 : kIndent);
}

std::string dropped_lines(const Dropped& dropped) {
  std::string text;
  if (dropped.lengths_dropped)
    text += "  lengths   the file's are not used: every edge has length 1\n";
  if (dropped.directions_dropped)
    text += fmt::format("  directions the file's are not used: edges go both ways{}\n",
                        dropped.takes_directed ? " (--directed uses them)" : "");
  return text;
}

namespace {

std::string lengths_line(const LengthUnit& unit) {
  const Length step = 1;
  return unit == LengthUnit{} ? "  lengths   of the file: whole numbers\n"
                              : fmt::format("  lengths   of the file: multiples of {}, exactly\n",
                                            to_text(step, unit));
}

}  // namespace

std::string context_lines(const Context& context) {
  std::string text = fmt::format("  graph     {}: {} vertices, {} {}\n",
                                 printable(context.graph_name), group_digits(context.vertices),
                                 group_digits(context.edges), context.directed ? "arcs" : "edges");
  if ((context.components > 1 || context.strong_components) &&
      context.used_vertices < context.vertices) {
    const Vertex components = context.strong_components.value_or(context.components);
    const char* const edges = context.strong_components ? "arcs" : "edges";
    text += fmt::format(
        "  about     the largest of {} {}components: {} vertices, {} {}; {} vertices, {} {} "
        "left out\n",
        group_digits(components), context.strong_components ? "strong " : "",
        group_digits(context.used_vertices), group_digits(context.used_edges), edges,
        group_digits(context.vertices - context.used_vertices),
        group_digits(context.edges - context.used_edges), edges);
  }
  if (context.elsewhere) text += elsewhere_lines(context);
  text += dropped_lines(context);
  if (context.weighted) text += lengths_line(context.unit);
  if (!context.engine.empty())
    text += fmt::format("  engine    {}, {}\n", context.engine, context.engine_detail);
  std::string phases;
  for (const auto& [phase, seconds] : context.seconds)
    phases += fmt::format("{}{} {}", phases.empty() ? "" : ", ", phase, seconds_text(seconds));
  text += fmt::format("  time      {}\n", phases);
  text += fmt::format("  memory    {} MB at most\n", group_digits(context.peak_memory / 1'000'000));
  if (!context.certificate.empty())
    text += fmt::format("  proof     {}\n", printable(context.certificate));
  if (!context.unwritten.empty())
    text +=
        fmt::format("  output    {} is not written: it was stopped before all values were known\n",
                    printable(context.unwritten));
  if (!context.resumed.empty())
    text += fmt::format("  resumed   from {}\n", printable(context.resumed));
  return text;
}

}  // namespace antipode::report
