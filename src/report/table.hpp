// Tables of the benches, as text and as CSV.
#pragma once

#include <string>
#include <vector>

namespace antipode::report {

struct Table {
  std::string name, title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// A table without rows.
Table make_table(std::string name, std::string title, std::vector<std::string> columns);
std::string text(const Table& table, std::size_t most_columns, std::size_t most_rows);
std::string csv(const Table& table);
// Of a file: its name without folder and ending; a generated graph is called what it was asked for.
std::string short_name(const std::string& graph);

}  // namespace antipode::report
