#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace antipode::report {

Table make_table(std::string name, std::string title, std::vector<std::string> columns) {
  return {.name = std::move(name),
          .title = std::move(title),
          .columns = std::move(columns),
          .rows = {}};
}

std::string short_name(const std::string& graph) {
  const std::string file =
      graph.starts_with("gen:") ? graph : graph.substr(graph.find_last_of('/') + 1);
  return graph.starts_with("gen:") ? file : file.substr(0, file.find_first_of('.', 1));
}

std::string text(const Table& table, std::size_t most_columns, std::size_t most_rows) {
  std::string result = table.title + "\n";
  const std::size_t columns = std::min(most_columns, table.columns.size());
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns; ++c) {
    widths.push_back(table.columns[c].size());
    for (const auto& row : table.rows) widths[c] = std::max(widths[c], row[c].size());
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < columns; ++c)
      result += c == 0 ? fmt::format("  {:<{}}", cells[c], widths[c])
                       : fmt::format("  {:>{}}", cells[c], widths[c]);
    result += "\n";
  };
  line(table.columns);
  for (std::size_t r = 0; r < std::min(most_rows, table.rows.size()); ++r) line(table.rows[r]);
  if (table.rows.size() > most_rows)
    result += fmt::format("  … {} rows more in the CSV\n", table.rows.size() - most_rows);
  return result + "\n";
}

std::string csv(const Table& table) {
  std::string result;
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) result += (c == 0 ? "" : ",") + cells[c];
    result += "\n";
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
  return result;
}

}  // namespace antipode::report
