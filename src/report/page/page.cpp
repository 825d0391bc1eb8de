#include "antipode/page.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>

#include "graph/machine.hpp"
#include "report/page/assets.hpp"
#include "report/page/sections.hpp"

namespace antipode {

namespace page {

namespace {

// Of the limit, when each section ends at the latest. Most diameters take a small part of theirs.
constexpr double kDiameter = 0.4, kRadius = 0.45, kDistances = 0.6, kEccentricities = 0.72,
                 kComponents = 0.75, kBetweenness = 0.98, kEnd = 1;
constexpr Length kLong = 4096;  // levels
constexpr std::size_t kLongestCommand = 1000;

std::uint64_t peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  struct tm parts {};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

// The text with each "{{name}}" replaced by what the function says of the name.
template <class Value>
std::string filled(std::string_view text, Value value) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find("{{", at), close = text.find("}}", open);
    if (open == text.npos || close == text.npos) return result += text.substr(at);
    result += text.substr(at, open - at);
    result += value(text.substr(open + 2, close - open - 2));
    at = close + 2;
  }
  return result;
}

}  // namespace

}  // namespace page

struct Page::Content {
  PageOptions options;
  std::vector<std::string> names;
  std::vector<page::Json> graphs;

  Added add(const LoadedGraph& loaded);
};

Page::Added Page::Content::add(const LoadedGraph& loaded) {
  using namespace page;
  const Watch before(nullptr, 0);
  const bool proves = !options.certificate.empty();
  Part part(loaded, options.engine, options.engine_options,
            proves ? Part::Symmetry::unknown : Part::Symmetry::used);
  Json json = about(part);
  json.add("fingerprint", fmt::format("{:016x}", fingerprint(loaded.graph).hash));
  json.add("degrees", degrees(loaded.graph));
  std::vector<Json> times;
  times.push_back(Json::array({"reading", rounded(loaded.read_seconds + loaded.build_seconds)}));
  times.push_back(Json::array({"preparing", rounded(before.seconds())}));
  Watch watch(options.observer, options.time_limit);
  double last = 0;
  const auto lap = [&](const char* section) {
    times.push_back(Json::array({section, rounded(watch.seconds() - last)}));
    last = watch.seconds();
  };
  watch.until(kDiameter);
  Extent extent = diameter(part, watch, proves ? Proof::certificate : Proof::none, kRadius);
  part.is_long = part.engine != nullptr && extent.lower >= kLong;
  lap("diameter");
  watch.until(kRadius);
  add_radius(part, watch, extent);
  json.add("diameter", extent.json);
  lap("radius");
  watch.until(kDistances);
  json.add("spindle", spindle(part, watch, extent.center));
  json.add("path", longest_path(part, watch, extent.longest));
  lap("shape");
  json.add("distances", distances(part, watch, kDistances, options.seed));
  lap("distances");
  json.add("eccentricities", eccentricities(part, watch, kEccentricities, options.seed));
  lap("eccentricities");
  watch.until(kComponents);
  const Json known = extent.exact ? Json(part.in_units(extent.lower)) : Json();
  json.add("component_list",
           component_list(part, known, options.engine, options.engine_options, watch));
  json.add("wider", wider_elsewhere(part, extent, watch));
  lap("components");
  json.add("central", central(part, watch,
                              {.betweenness = kBetweenness,
                               .end = kEnd,
                               .seed = options.seed,
                               .engine = options.engine,
                               .options = options.engine_options}));
  lap("centralities");
  json.add("engine", Json::array({part.info.name, part.info.detail}));
  json.add("times", times).add("seconds", rounded(before.seconds()));
  json.add("memory", peak_memory());
  names.push_back(loaded.name);
  graphs.push_back(json);
  return {
      .exact = extent.exact, .finished = !watch.is_interrupted(), .proof = std::move(extent.proof)};
}

Page::Page(PageOptions options) : content_(std::make_unique<Content>()) {
  content_->options = std::move(options);
}
Page::~Page() = default;

Page::Added Page::add(const LoadedGraph& graph) { return content_->add(graph); }
std::size_t Page::graphs() const { return content_->graphs.size(); }

std::string Page::html() const {
  using namespace page;
  const PageOptions& options = content_->options;
  const Json data = Json::object({{"version", options.version},
                                  {"command", shortened(options.command, kLongestCommand)},
                                  {"date", today()},
                                  {"limit", options.time_limit},
                                  {"seed", options.seed},
                                  {"certificate", shortened(options.certificate, kLongestCommand)},
                                  {"processors", usable_processors()},
                                  {"graphs", content_->graphs}});
  std::string title;
  for (const std::string& name : content_->names)
    if (title.size() < kLongestCommand) title += (title.empty() ? "" : ", ") + name;
  return filled(asset("page.html").text, [&](std::string_view name) -> std::string {
    if (name == "title") return escape_html(shortened(title, kLongestCommand));
    if (name == "data") return data.text();
    if (name.starts_with("sha256 ")) return std::string(asset(name.substr(7)).digest);
    return std::string(asset(name).text);
  });
}

}  // namespace antipode
