// Answers as rows of comma-separated values (RFC 4180). Columns are fields of the JSON answer, by
// their place in it: they depend on the measure alone, so that rows of several graphs fit together.
#include <algorithm>
#include <utility>

#include "report/common.hpp"

namespace antipode::report {

namespace {

struct RowField {
  std::string_view name, place;  // a JSON pointer
};
using RowFields = std::vector<RowField>;

const RowFields kGraph{{"graph", "/graph/name"},
                       {"vertices", "/graph/vertices"},
                       {"edges", "/graph/edges"},
                       {"components", "/graph/components"},
                       {"used_vertices", "/graph/used_vertices"},
                       {"used_edges", "/graph/used_edges"}};
const RowFields kWork{{"searches", "/searches"},
                      {"engine", "/engine"},
                      {"seconds", "/seconds/total"},
                      {"peak_memory_bytes", "/peak_memory_bytes"},
                      {"error", "/error"}};

const RowFields kDistance{{"value", "/value"}, {"lower", "/lower"},       {"upper", "/upper"},
                          {"exact", "/exact"}, {"from", "/witness/from"}, {"to", "/witness/to"}};
const RowFields kSet{
    {"count", "/count"}, {"lower", "/lower"}, {"upper", "/upper"}, {"exact", "/exact"}};
const RowFields kSearch{{"source", "/source"},       {"eccentricity", "/value"},
                        {"farthest", "/farthest"},   {"reached", "/reached"},
                        {"unreached", "/unreached"}, {"distance_sum", "/distance_sum"}};

const std::vector<std::pair<std::string_view, RowFields>> kOneRow{
    {"diameter", kDistance},
    {"radius", kDistance},
    {"center", kSet},
    {"periphery", kSet},
    {"eccentricity",
     {{"radius", "/radius"},
      {"diameter", "/diameter"},
      {"lower", "/lower"},
      {"upper", "/upper"},
      {"in_radius", "/in/radius"},
      {"exact", "/exact"},
      {"from", "/witness/from"},
      {"to", "/witness/to"}}},
    {"average",
     {{"value", "/value"},
      {"exact", "/exact"},
      {"low_95", "/confidence_95/0"},
      {"high_95", "/confidence_95/1"},
      {"median", "/median"},
      {"effective_diameter", "/effective_diameter"},
      {"variance", "/variance"},
      {"diameter", "/diameter"},
      {"sum", "/sum"},
      {"reachable_pairs", "/reachable_pairs"},
      {"unreachable_pairs", "/unreachable_pairs"}}},
    {"bfs", kSearch},
    {"relaxed", kSearch},
    {"info",
     {{"largest_vertices", "/largest_component/vertices"},
      {"largest_edges", "/largest_component/edges"},
      {"strong_components", "/arcs/strong_components"},
      {"reciprocity", "/arcs/reciprocity"},
      {"triangles", "/triangles"},
      {"average_clustering", "/average_clustering"},
      {"least_degree", "/degree/least"},
      {"median_degree", "/degree/median"},
      {"mean_degree", "/degree/mean"},
      {"most_degree", "/degree/most"},
      {"isolated", "/degree/isolated"},
      {"shortest_edge", "/lengths/least"},
      {"longest_edge", "/lengths/most"},
      {"fingerprint", "/fingerprint"}}}};
const RowFields kExactness{{"exact", "/exact"}};
// One row for each entry of the value.
const std::vector<std::pair<std::string_view, RowFields>> kRankings{
    {"closeness", {{"vertex", "/vertex"}, {"closeness", "/value"}}},
    {"betweenness",
     {{"vertex", "/vertex"}, {"from", "/edge/0"}, {"to", "/edge/1"}, {"betweenness", "/value"}}}};

const RowFields* fields_of(const std::vector<std::pair<std::string_view, RowFields>>& all,
                           std::string_view measure) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == measure; });
  return found == all.end() ? nullptr : &found->second;
}

bool is_ranking(std::string_view measure) { return fields_of(kRankings, measure) != nullptr; }

const RowFields& own_fields(std::string_view measure) {
  for (const auto* all : {&kOneRow, &kRankings})
    if (const RowFields* const found = fields_of(*all, measure)) return *found;
  throw UsageError(fmt::format("{} has no form as a row: leave --csv out", measure));
}

std::string quoted(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  return result + "\"";
}

// Nothing for null, and for what an answer does not have. Digits that a number would round are text
// beside it.
std::string cell(const Json& answer, std::string_view place) {
  const Json::json_pointer digits{std::string(place) + "_text"};
  if (answer.contains(digits)) return quoted(answer.at(digits).get<std::string>());
  const Json::json_pointer pointer{std::string(place)};
  if (!answer.contains(pointer)) return {};
  const Json& value = answer.at(pointer);
  if (value.is_null() || value.is_structured()) return {};
  if (value.is_string()) return quoted(value.get<std::string>());
  return value.dump();
}

std::string row(const Json& answer, const Json& entry, std::string_view measure) {
  std::string text;
  const auto add = [&](const Json& from, const RowFields& fields) {
    for (const RowField& field : fields) text += cell(from, field.place) + ",";
  };
  add(answer, kGraph);
  add(entry, own_fields(measure));
  if (is_ranking(measure)) add(answer, kExactness);
  add(answer, kWork);
  text.back() = '\n';
  return text;
}

}  // namespace

std::string csv_header(Form form, std::string_view measure) {
  if (form != Form::csv) return {};
  std::string text;
  const RowFields none;
  for (const RowFields* fields :
       {&kGraph, &own_fields(measure), is_ranking(measure) ? &kExactness : &none, &kWork})
    for (const RowField& field : *fields) text += std::string(field.name) + ",";
  text.back() = '\n';
  return text;
}

std::string csv_rows(const Json& answer) {
  const std::string measure = answer.at("measure");
  if (!is_ranking(measure)) return row(answer, answer, measure);
  const Json& value = answer.at("value");
  std::string text;
  for (const Json& entry : value) text += row(answer, entry, measure);
  return text.empty() ? row(answer, Json::object(), measure) : text;
}

std::string render_failure(Form form, std::string_view measure, const std::string& graph,
                           const std::string& message) {
  const Json answer = {{"schema", kSchema}, {"measure", measure}, {"value", nullptr},
                       {"exact", false},    {"error", message},   {"graph", {{"name", graph}}}};
  if (form == Form::csv) return row(answer, Json::object(), measure);
  return dump(answer, -1);
}

}  // namespace antipode::report
