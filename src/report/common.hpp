// Pieces that all answers share.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <span>

#include "antipode/error.hpp"
#include "report/report.hpp"

namespace antipode::report {

// Values are made as objects or arrays from the start (Json::object(), Json::array()): one that
// becomes an object when memory has run out is destroyed as if it were whole.
using Json = nlohmann::ordered_json;

inline constexpr std::string_view kSchema = "antipode/2";  // docs/schema/answer.json

// As text that ends its line, without control characters; bytes that are no UTF-8 (a file's name
// may hold them) are replaced.
std::string dump(const Json& json, int indent);
// An answer between what every answer opens with (schema, measure) and what it ends with (graph,
// engine, seconds, peak memory).
std::string json_text(const Context& context, const Json& answer);
// What the file says of its edges and the answer does not use; empty where there is nothing.
std::string dropped_lines(const Dropped& dropped);
void add_dropped(Json& graph, const Dropped& dropped);
// The lines below the headline: the graph, what was left out, engine, time, memory.
std::string context_lines(const Context& context);

// The rows of an answer; see csv_header().
std::string csv_rows(const Json& answer);

// A label: a number if those of the file are numbers.
Json label_json(const Graph& graph, Vertex v);
// A length in the unit of the file: a whole number, or the nearest double. set_length adds the
// exact decimals beside what is no whole number, as NAME_text. No path: null.
Json length_json(Length length, const LengthUnit& unit);
void set_length(Json& object, const std::string& name, Length length, const LengthUnit& unit);
Json unit_json(const LengthUnit& unit);

// Lengths from i × width on and below (i + 1) × width are counted at i. At most 16 bins, of a width
// of 1, 2 or 5 times a power of ten of the graph's unit. kNoPath does not count.
struct LengthBins {
  Length width = 1;
  std::vector<std::uint64_t> counts;
};
LengthBins bins_of(std::span<const Length> lengths);
std::string bins_text(const LengthBins& bins, const LengthUnit& unit, std::string_view of);
Json bins_json(const LengthBins& bins, const LengthUnit& unit);

// With the length of every edge, where the graph has lengths.
Json witness_json(const Graph& graph, const Witness& witness);
// Of a long path the first and the last vertices, unless all of it is asked for.
std::string path_lines(const Context& context, const Graph& graph, const Witness& witness);
std::string group_digits(std::uint64_t number);  // 1,234,567
std::string seconds_text(double seconds);

}  // namespace antipode::report
