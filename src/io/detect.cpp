// The format of a file: by magic if the format has one, then by name, then by the shape of its
// first lines.
#include "io/detect.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "antipode/error.hpp"
#include "graph/nearest.hpp"
#include "io/foreign.hpp"
#include "io/header.hpp"
#include "io/sample.hpp"
#include "io/shape.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

constexpr FormatEntry kEntries[] = {
    {.format = {.name = "snap",
                .endings = ".txt .tsv .snap",
                .summary = "edge list, '#' or '%' comments, further columns read past (SNAP)",
                .writable = true},
     .read = read_edge_list,
     .write = write_edge_list,
     .read_columns = read_columns},
    {.format = {.name = "names",
                .endings = "",
                .summary = "edge list whose vertices are words",
                .writable = false},
     .read = read_named_edge_list,
     .write = nullptr,
     .read_columns = read_columns},
    {.format = {.name = "csv",
                .endings = ".csv",
                .summary = "comma-separated values; also ';' and tabs, with or without a header",
                .writable = false},
     .read = read_csv,
     .write = nullptr,
     .read_columns = read_columns},
    {.format = {.name = "mtx",
                .endings = ".mtx",
                .summary = "Matrix Market coordinate",
                .writable = true},
     .read = read_matrix_market,
     .write = write_matrix_market},
    {.format = {.name = "metis",
                .endings = ".graph .metis",
                .summary = "METIS, DIMACS-10",
                .writable = false},
     .read = read_metis,
     .write = nullptr},
    {.format = {.name = "gr",
                .endings = ".gr .dimacs",
                .summary = "DIMACS-9 road networks",
                .writable = false},
     .read = read_dimacs,
     .write = nullptr},
    {.format = {.name = "el",
                .endings = ".el .wel",
                .summary = "GAP edge list: vertices 0 … largest id",
                .writable = false},
     .read = read_dense_edge_list,
     .write = nullptr},
    {.format = {.name = "graphml", .endings = ".graphml", .summary = "GraphML", .writable = false},
     .read = read_graphml,
     .write = nullptr},
    {.format = {.name = "pajek", .endings = ".net", .summary = "Pajek network", .writable = false},
     .read = read_pajek,
     .write = nullptr},
    {.format = {.name = "json",
                .endings = ".json",
                .summary = "node-link JSON (NetworkX)",
                .writable = false},
     .read = read_node_link,
     .write = nullptr},
    {.format =
         {.name = "graph6", .endings = ".g6", .summary = "graph6, one graph", .writable = false},
     .read = read_graph6,
     .write = nullptr},
    {.format =
         {.name = "sparse6", .endings = ".s6", .summary = "sparse6, one graph", .writable = false},
     .read = read_graph6,
     .write = nullptr},
    {.format = {.name = "egr", .endings = ".egr", .summary = "ECL binary", .writable = true},
     .read = read_egr,
     .write = write_egr},
    {.format = {.name = "part",
                .endings = ".part",
                .summary = "part-shift graph of Graph Golf",
                .writable = false},
     .read = read_part,
     .write = nullptr},
    {.format = {.name = "golf",
                .endings = ".edges",
                .summary = "Graph Golf edge list",
                .writable = false},
     .read = read_golf,
     .write = nullptr},
    {.format =
         {.name = "konect", .endings = "out.*", .summary = "KONECT edge list", .writable = false},
     .read = read_konect,
     .write = nullptr},
    {.format = {.name = "rodinia",
                .endings = ".rodinia",
                .summary = "Rodinia BFS input",
                .writable = false},
     .read = read_rodinia,
     .write = nullptr},
    {.format = {.name = "bvgraph",
                .endings = ".properties",
                .summary = "BVGraph of WebGraph: .graph, .offsets and .properties",
                .writable = false},
     .read = read_bvgraph,
     .write = nullptr},
    {.format = {.name = "apg",
                .endings = ".apg",
                .summary = "Antipode binary: checksummed, and checked on opening",
                .writable = true},
     .read = read_apg,
     .write = write_apg},
};

const FormatEntry& entry(std::string_view name) {
  const auto found = std::find_if(std::begin(kEntries), std::end(kEntries),
                                  [&](const FormatEntry& e) { return e.format.name == name; });
  if (found != std::end(kEntries)) return *found;
  if (const Foreign* const foreign = foreign_format(name)) throw UsageError(refusal(*foreign));
  std::string known;
  std::vector<std::string_view> names;
  for (const FormatEntry& e : kEntries) {
    names.push_back(e.format.name);
    known += " " + std::string(e.format.name);
  }
  throw UsageError("unknown format '" + std::string(name) + "'; there are" + known +
                   did_you_mean(name, names));
}

std::string_view by_magic(std::string_view head) {
  if (head.starts_with("ANTIPODE")) return "apg";
  if (head.starts_with("antipode part ")) return "part";
  constexpr std::string_view kBanner = "%%matrixmarket";
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  if (head.size() >= kBanner.size() && std::equal(kBanner.begin(), kBanner.end(), head.begin(),
                                                  [&](char b, char a) { return same(a, b); }))
    return "mtx";
  if (!konect_kind(head).empty()) return "konect";
  return format_by_syntax(head);
}

std::string_view by_name(std::string name) {
  for (const std::string_view packing : {".gz", ".zst"})
    if (name.ends_with(packing)) name.resize(name.size() - packing.size());
  const std::string file = name.substr(name.find_last_of('/') + 1);
  for (const FormatEntry& e : kEntries)
    for (Tokens endings(e.format.endings); endings.next();) {
      const std::string_view ending = endings.word();
      if (!ending.starts_with('.') || !file.ends_with(ending)) continue;
      // .txt may be anything: the content decides.
      return e.format.name == "snap" ? "" : e.format.name;
    }
  const Foreign* const foreign = foreign_by_file(file);
  if (foreign != nullptr) return foreign->name;
  return file.starts_with("out.") ? "konect" : "";  // out.txt is an edge list like any other
}

// The adjacencies of a METIS file differ in length; the lines of an edge list do not. Its header is
// at least the number of lines that follow.
bool looks_like_metis(const Sample& sample) {
  const auto& header = sample.lines.front();
  if (header.size() < 2 || header.size() > 4 || sample.lines.size() < 2 || sample.has_hash_comments)
    return false;
  const std::string rows = std::to_string(sample.lines.size() - 1);
  const bool enough =
      header[0].size() > rows.size() || (header[0].size() == rows.size() && header[0] >= rows);
  if (!enough) return false;
  const auto [least, most] =
      std::minmax_element(sample.lines.begin() + 1, sample.lines.end(),
                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (least->size() == most->size()) return false;
  for (const auto& line : sample.lines)
    if (!std::all_of(line.begin(), line.end(), is_number)) return false;
  return true;
}

// Comments "c …", then "p WORD vertices edges". WORD is a problem of DIMACS, or the next line
// starts with a letter of DIMACS. A list of names may contain a vertex 'c' or 'p'.
bool looks_like_dimacs(const Sample& sample) {
  const auto begins = [](const auto& line, std::string_view letters) {
    return !line.empty() && line[0].size() == 1 && letters.find(line[0]) != std::string_view::npos;
  };
  const auto header =
      std::find_if_not(sample.lines.begin(), sample.lines.end(),
                       [&](const auto& line) { return line.empty() || begins(line, "c"); });
  if (header == sample.lines.end() || !begins(*header, "p") || header->size() < 4) return false;
  if (is_number((*header)[1]) || !is_number((*header)[2]) || !is_number((*header)[3])) return false;
  for (const char* const problem :
       {"sp", "max", "min", "edge", "edges", "col", "tw", "td", "ds", "hs", "cnf"})
    if ((*header)[1] == problem) return true;
  const auto next =
      std::find_if(header + 1, sample.lines.end(), [](const auto& line) { return !line.empty(); });
  return next == sample.lines.end() || begins(*next, "aec");
}

bool looks_like_rodinia(const Sample& sample) {
  return sample.lines[0].size() == 1 && is_number(sample.lines[0][0]) && sample.lines.size() > 1 &&
         sample.lines[1].size() == 2 && sample.lines[1][0] == "0";
}

// `columns` is the value of --columns: if given, the text is a table, whatever its shape.
std::string_view by_content(std::string_view head, std::string_view columns) {
  const Sample sample(head);
  if (sample.lines.empty()) return "snap";
  if (looks_like_dimacs(sample)) return "gr";
  if (looks_like_rodinia(sample)) return "rodinia";
  if (looks_like_metis(sample)) return "metis";
  const std::vector<Row> rows = rows_of(sample, kWords);
  const Row& first = rows.front();
  if (first.size() == 1 && is_graph6(first[0])) return first[0][0] == ':' ? "sparse6" : "graph6";
  const bool is_list = first.size() == 1 && first[0].find_first_of(",;") != std::string::npos;
  if (separator_of(sample) != 0 || is_list) return "csv";
  const auto ends = usual_ends(rows);
  if (ends && *ends != std::pair<std::size_t, std::size_t>{0, 1}) return "csv";
  const auto shape = columns.empty() ? foreign_shape(rows, kWords, sample.whole) : "";
  if (!shape.empty()) return shape;
  if (has_header(rows)) return "snap";
  if (ends) return "csv";  // a header above names
  // Numbers that are not ids are refused by the reader of ids, which names the line.
  return first.size() >= 2 && !is_value(first[0]) && !is_value(first[1]) ? "names" : "snap";
}

void refuse_binary(const Input& input, std::string_view head) {
  const auto is_strange = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20) & (c != '\n') & (c != '\t') & (c != '\r') &
           (c != '\f');
  };
  unsigned char any = 0;
  for (const char c : head)
    any |= static_cast<unsigned char>(is_strange(c));  // vectorizes, unlike a search
  if (any == 0) return;
  const auto strange = std::find_if(head.begin(), head.end(), is_strange);
  const auto line = 1 + std::count(head.begin(), strange, '\n');
  const bool may_be_bvgraph =
      input.name().ends_with(".graph") || input.name().ends_with(".offsets");
  throw InputError(
      input.where(static_cast<std::uint64_t>(line)),
      "binary data (byte " + std::to_string(static_cast<unsigned char>(*strange)) +
          ") where text was expected; " +
          (may_be_bvgraph ? "if this is a BVGraph, its .properties must be beside it"
                          : "if the file is .egr or .apg, name it so or give --format"));
}

// Lines that end in CR alone would be a single line to readers that work by lines.
void refuse_lone_returns(const Input& input, std::string_view head) {
  for (std::size_t at = head.find('\r'); at != std::string_view::npos; at = head.find('\r', at)) {
    while (at < head.size() && is_blank(head[at])) ++at;
    if (at == head.size() || head[at] == '\n') continue;
    throw InputError(
        input.where(
            static_cast<std::uint64_t>(1 + std::count(head.begin(), head.begin() + at, '\n'))),
        "lines end in CR alone, as on old Macs: tr '\\r' '\\n' < FILE > NEW makes lines of them");
  }
}

bool has_lines(std::string_view format) { return format != "json" && format != "graphml"; }

}  // namespace

std::span<const Format> formats() {
  static const auto list = [] {
    std::array<Format, std::size(kEntries)> result;
    std::transform(std::begin(kEntries), std::end(kEntries), result.begin(),
                   [](const FormatEntry& e) { return e.format; });
    return result;
  }();
  return list;
}

std::string_view format_of_text(std::string_view head) {
  const std::string_view format = by_magic(head);
  return format.empty() ? by_content(head, {}) : format;
}

const FormatEntry& format_of(Input& input, std::string_view wanted, std::string_view columns) {
  if (wanted != "auto") {
    const FormatEntry& asked = entry(wanted);
    if (wanted == "egr" || wanted == "apg") return asked;
    input.skip_byte_order_mark();
    if (input.head().find('\0') != std::string_view::npos) refuse_binary(input, input.head());
    if (has_lines(wanted)) refuse_lone_returns(input, input.head());
    return asked;
  }
  if (input.head().empty()) throw InputError(input.name(), "the file is empty");
  const std::string_view named = by_name(input.name()), binary = by_magic(input.head());
  if (binary == "apg" || (binary.empty() && (named == "egr" || named == "apg")))
    return entry(binary.empty() ? named : binary);
  input.skip_byte_order_mark();
  const std::string_view head = input.head();
  refuse_binary(input, head);
  const auto refuse_foreign = [&](std::string_view format) {
    if (const Foreign* const foreign = foreign_format(format))
      throw InputError(input.name(), refusal(*foreign));
  };
  std::string_view format = by_magic(head);
  if (format.empty() || (format == "markup" && named == "graphml"))
    format = !columns.empty() && foreign_format(named) != nullptr ? "csv" : named;
  refuse_foreign(format);
  if (has_lines(format)) refuse_lone_returns(input, head);
  const std::string_view content =
      format.empty() || format == "golf" || format == "el" ? by_content(head, columns) : "snap";
  // Three edges of length 1 may have the shape of a matrix.
  const bool is_small_list = format == "el" && content == "adjacency matrix";
  if (format.empty() || content == "names" || content == "csv" ||
      (foreign_format(content) != nullptr && !is_small_list))
    format = content;
  refuse_foreign(format);
  return entry(format);
}

const FormatEntry& format_for_writing(const std::string& path, std::string_view wanted) {
  std::string_view name = wanted == "auto" ? by_name(path) : wanted;
  if (name.empty()) name = "snap";
  const bool foreign = foreign_format(name) != nullptr;
  if (!foreign && entry(name).write != nullptr) return entry(name);
  std::string known;
  for (const FormatEntry& e : kEntries)
    if (e.write != nullptr) known += " " + std::string(e.format.name);
  throw UsageError("format '" + std::string(name) + "' can " +
                   (foreign ? "be neither read nor" : "be read but not") + " written; --to takes" +
                   known);
}

}  // namespace antipode
