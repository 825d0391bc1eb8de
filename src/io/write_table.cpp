// Tables as comma-separated values (RFC 4180), with tabs, as JSON records, and as NumPy's archive
// (write_npz.cpp). Rows are formatted in pieces, so that memory does not depend on their number.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "io/output.hpp"
#include "io/table_parts.hpp"

namespace antipode {

std::size_t Table::rows() const {
  if (columns.empty()) return 0;
  return std::visit(
      [](const auto& values) -> std::size_t {
        if constexpr (requires { values.vertices; })
          return values.vertices.size();
        else
          return values.size();
      },
      columns.front().values);
}

TableFormat table_format_of(const std::string& path) {
  std::string name = path;
  for (const std::string_view packing : {".gz", ".zst"})
    if (name.ends_with(packing)) name.resize(name.size() - packing.size());
  const std::size_t dot = name.find_last_of("./");
  const std::string ending =
      dot == std::string::npos || name[dot] == '/' ? "" : name.substr(dot + 1);
  for (const auto& [known, format] : {std::pair("csv", TableFormat::csv),
                                      {"tsv", TableFormat::tsv},
                                      {"json", TableFormat::json},
                                      {"npz", TableFormat::npz}})
    if (ending == known) return format;
  for (const char* const foreign :
       {"parquet", "arrow", "feather", "ipc", "xlsx", "xls", "ods", "jsonl", "ndjson", "npy"})
    if (ending == foreign)
      throw UsageError(fmt::format(
          "{}: a .{} file is not written: name a .csv, .tsv, .json or .npz file", path, foreign));
  return TableFormat::none;
}

namespace {

bool is_named(const Labels& labels) { return labels.kind() == Labels::Kind::names; }

// RFC 4180: a field with the separator, a quote or a line end stands in quotes, and its quotes are
// doubled. So does an empty name, which is no missing value.
void add_field(std::string& text, std::string_view name, char separator) {
  if (!name.empty() && name.find_first_of("\"\r\n") == std::string_view::npos &&
      name.find(separator) == std::string_view::npos) {
    text += name;
    return;
  }
  text += '"';
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  text += '"';
}

// Control characters escaped, and U+FFFD for bytes that are no UTF-8.
void add_json_text(std::string& text, std::string_view name) {
  text += '"';
  while (!name.empty()) {
    const std::size_t length = character_length(name);
    const auto c = static_cast<unsigned char>(name.front());
    if (length == 0)
      text += "\xEF\xBF\xBD";
    else if (c == '"' || c == '\\')
      text += {'\\', name.front()};
    else if (c < 0x20 || c == 0x7F)
      text += fmt::format("\\u{:04x}", c);
    else
      text += name.substr(0, length);
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  text += '"';
}

// The value of a row as text; nothing is added where there is none.
struct CellText {
  const Table& table;
  std::size_t row;
  std::string& text;

  bool operator()(const std::vector<Vertex>& values) const {
    if (values[row] == kNoVertex) return false;
    fmt::format_to(std::back_inserter(text), "{}", values[row]);
    return true;
  }
  bool operator()(const std::vector<Length>& values) const {
    if (values[row] == kNoPath) return false;
    text += to_text(values[row], table.unit);
    return true;
  }
  bool operator()(const std::vector<double>& values) const {
    if (std::isnan(values[row])) return false;
    fmt::format_to(std::back_inserter(text), "{}", values[row]);
    return true;
  }
};

class Pieces {
 public:
  explicit Pieces(OutputFile& file) : file_(file) { text_.reserve(2 * kPiece); }
  std::string& text() { return text_; }
  void end_row() {
    if (text_.size() >= kPiece) flush();
  }
  void flush() {
    file_.write(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;
  OutputFile& file_;
  std::string text_;
};

void write_separated(const Table& table, OutputFile& file, char separator) {
  Pieces pieces(file);
  std::string& text = pieces.text();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c > 0) text += separator;
    add_field(text, table.columns[c].name, separator);
  }
  text += '\n';
  const std::size_t rows = table.rows();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) text += separator;
      std::visit(
          [&](const auto& values) {
            if constexpr (requires { values.vertices; })
              add_field(text, table.labels.of(values.vertices[row]), separator);
            else
              CellText{table, row, text}(values);
          },
          table.columns[c].values);
    }
    text += '\n';
    pieces.end_row();
  }
  pieces.flush();
}

void write_records(const Table& table, OutputFile& file) {
  Pieces pieces(file);
  std::string& text = pieces.text();
  std::vector<std::string> keys;
  for (const Column& column : table.columns) {
    keys.emplace_back();
    add_json_text(keys.back(), column.name);
    keys.back() += ": ";
  }
  text += "[";
  const std::size_t rows = table.rows();
  for (std::size_t row = 0; row < rows; ++row) {
    text += row == 0 ? "\n{" : ",\n{";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) text += ", ";
      text += keys[c];
      std::visit(
          [&](const auto& values) {
            if constexpr (requires { values.vertices; }) {
              const std::string label = table.labels.of(values.vertices[row]);
              is_named(table.labels) ? add_json_text(text, label) : void(text += label);
            } else if (!CellText{table, row, text}(values)) {
              text += "null";
            }
          },
          table.columns[c].values);
    }
    text += '}';
    pieces.end_row();
  }
  text += "\n]\n";
  pieces.flush();
}

}  // namespace

void write_table(const Table& table, const std::string& path, TableFormat format) {
  OutputFile file(path);
  switch (format) {
    case TableFormat::json:
      write_records(table, file);
      break;
    case TableFormat::npz:
      write_npz(table, file);
      break;
    case TableFormat::tsv:
      write_separated(table, file, '\t');
      break;
    default:
      write_separated(table, file, ',');
  }
  file.commit();
}

}  // namespace antipode
