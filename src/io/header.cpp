#include "io/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "antipode/error.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

std::optional<std::size_t> place_of(const Row& names,
                                    std::initializer_list<std::string_view> choices) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const std::string_view choice : choices)
      if (std::equal(names[i].begin(), names[i].end(), choice.begin(), choice.end(), same))
        return i;
  return std::nullopt;
}

}  // namespace

bool has_header(const std::vector<Row>& rows) {
  if (rows.size() < 2 || rows[0].size() < 2 || is_value(rows[0][0]) || is_value(rows[0][1]))
    return false;
  return std::all_of(rows.begin() + 1, rows.end(), [](const Row& row) {
    return row.size() >= 2 && is_value(row[0]) && is_value(row[1]);
  });
}

bool has_row_names(const std::vector<Row>& rows) {
  if (rows.size() < 2 || rows[0].size() < 2) return false;
  const bool is_known = usual_ends(rows).has_value();
  if (rows.size() < 3 && !is_known) return false;  // one row is not enough evidence
  if (std::any_of(rows[0].begin(), rows[0].end(), is_value)) return false;
  std::set<std::string_view> names;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() != rows[0].size() + 1 || !names.insert(rows[i][0]).second) return false;
    if (!is_known && !is_number(rows[i][0])) return false;
    for (const std::string& word : rows[i])
      if (are_attributes(word) || std::find(rows[0].begin(), rows[0].end(), word) != rows[0].end())
        return false;
  }
  return true;
}

std::optional<std::pair<std::size_t, std::size_t>> usual_ends(const Row& names) {
  const auto from =
      place_of(names, {"source", "from", "src", "fromnodeid", "from_node", "source_id"});
  const auto to = place_of(
      names, {"target", "to", "dst", "dest", "destination", "tonodeid", "to_node", "target_id"});
  if (!from || !to) return std::nullopt;
  return std::pair{*from, *to};
}

std::optional<std::pair<std::size_t, std::size_t>> usual_ends(const std::vector<Row>& rows) {
  return rows.size() > 1 && rows[0].size() <= rows[1].size() ? usual_ends(rows[0]) : std::nullopt;
}

std::optional<std::size_t> usual_length(const Row& names) {
  return place_of(names, {"weight", "length", "distance", "cost"});
}

void skip_comments(Input& input) {
  for (std::string_view head = input.head(); !head.empty(); head = input.head()) {
    Tokens tokens(head);
    if (tokens.next_in_line() && !starts_comment(tokens.peek())) return;
    input.line();
  }
}

void skip_first_row(Input& input) {
  skip_comments(input);
  input.line();
}

std::size_t take_header(Input& input, std::vector<std::string>& notices) {
  const std::vector<Row> rows = rows_of(Sample(input.head()), kWords);
  const auto ends = usual_ends(rows);
  if (!ends && !has_header(rows)) return 0;
  skip_first_row(input);
  if (ends && *ends != std::pair<std::size_t, std::size_t>{0, 1})
    throw InputError(
        input.where(input.lines_read()),
        fmt::format("a header that calls columns {} and {} the ends of an edge: give "
                    "--columns {},{}",
                    ends->first + 1, ends->second + 1, ends->first + 1, ends->second + 1));
  notices.push_back(fmt::format("line {} is taken as a header: {}", input.lines_read(),
                                ends ? "it names the ends of an edge" : "words above numbers"));
  return rows[0].size();
}

void suspect_header(ParsedGraph& graph) {
  constexpr std::uint64_t kFewest = 3;
  std::uint64_t edges = 0;
  for (const auto& list : graph.edges)
    for (const Edge e : list)
      if (edges++ > 0 && std::min(e.from, e.to) < 2) return;
  if (edges < kFewest || graph.labels.kind() != Labels::Kind::names) return;
  const std::string from = graph.labels.of(0), to = graph.labels.of(1);
  graph.notices.push_back(fmt::format(
      "the first row is taken as an edge, and its ends {} and {} have no other; if it is a "
      "header, --columns {},{} says so",
      show(from), show(to), printable(from), printable(to)));
}

}  // namespace antipode
