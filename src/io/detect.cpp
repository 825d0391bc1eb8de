// Which format a file has: by magic where the format has one, then by name, then by what the first
// lines look like.
#include "io/detect.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "antipode/error.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

constexpr FormatEntry kEntries[] = {
    {{"snap", ".txt .tsv .snap", "edge list, '#' or '%' comments, further columns read past (SNAP)",
      true},
     read_edge_list,
     write_edge_list},
    {{"names", "", "edge list whose vertices are words", false}, read_named_edge_list, nullptr},
    {{"mtx", ".mtx", "Matrix Market coordinate", true}, read_matrix_market, write_matrix_market},
    {{"metis", ".graph .metis", "METIS, DIMACS-10", false}, read_metis, nullptr},
    {{"gr", ".gr .dimacs", "DIMACS-9 road networks", false}, read_dimacs, nullptr},
    {{"el", ".el .wel", "GAP edge list: vertices 0 … largest id", false},
     read_dense_edge_list,
     nullptr},
    {{"egr", ".egr", "ECL binary", true}, read_egr, write_egr},
    {{"part", ".part", "part-shift graph of Graph Golf", false}, read_part, nullptr},
    {{"golf", ".edges", "Graph Golf edge list", false}, read_golf, nullptr},
    {{"konect", "out.*", "KONECT edge list", false}, read_konect, nullptr},
    {{"rodinia", ".rodinia", "Rodinia BFS input", false}, read_rodinia, nullptr},
    {{"apg", ".apg", "Antipode binary: memory-mapped, checksummed", true}, read_apg, write_apg},
};

const FormatEntry& entry(std::string_view name) {
  const auto found = std::find_if(std::begin(kEntries), std::end(kEntries),
                                  [&](const FormatEntry& e) { return e.format.name == name; });
  if (found != std::end(kEntries)) return *found;
  std::string known;
  for (const FormatEntry& e : kEntries) known += " " + std::string(e.format.name);
  throw UsageError("unknown format '" + std::string(name) + "'; there are" + known);
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("-0123456789") == std::string_view::npos;
}

// The words of the first lines that are no comments.
struct Sample {
  std::vector<std::vector<std::string_view>> lines;
  bool has_hash_comments = false;

  explicit Sample(std::string_view head) {
    constexpr std::size_t kLines = 200;
    const bool cut = head.size() >= std::size_t{1} << 16;
    Tokens tokens(head);
    for (; !tokens.at_end() && lines.size() < kLines; tokens.next_line()) {
      std::vector<std::string_view> words;
      const bool comment = tokens.next_in_line() && (tokens.peek() == '#' || tokens.peek() == '%');
      has_hash_comments |= tokens.peek() == '#';
      while (!comment && tokens.next_in_line()) words.push_back(tokens.word());
      if (!comment && !(lines.empty() && words.empty())) lines.push_back(std::move(words));
    }
    if (cut && tokens.at_end() && !lines.empty()) lines.pop_back();  // perhaps only half a line
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
  }
};

std::string_view by_magic(std::string_view head) {
  if (head.starts_with("ANTIPODE")) return "apg";
  if (head.starts_with("antipode part ")) return "part";
  constexpr std::string_view kBanner = "%%matrixmarket";
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  if (head.size() >= kBanner.size() && std::equal(kBanner.begin(), kBanner.end(), head.begin(),
                                                  [&](char b, char a) { return same(a, b); }))
    return "mtx";
  if (head.starts_with("% sym ") || head.starts_with("% asym ") || head.starts_with("% bip "))
    return "konect";
  return {};
}

std::string_view by_name(std::string name) {
  for (const std::string_view packing : {".gz", ".zst"})
    if (name.ends_with(packing)) name.resize(name.size() - packing.size());
  const std::string file = name.substr(name.find_last_of('/') + 1);
  if (file.starts_with("out.")) return "konect";
  for (const FormatEntry& e : kEntries) {
    if (e.format.name == "snap") continue;  // .txt says nothing: look inside
    for (Tokens endings(e.format.endings); endings.next();) {
      const std::string_view ending = endings.word();
      if (ending.starts_with('.') && file.ends_with(ending)) return e.format.name;
    }
  }
  return {};
}

// METIS rows differ in length; the lines of an edge list do not. Its header counts the rows that
// follow.
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

std::string_view by_content(std::string_view head) {
  const Sample sample(head);
  if (sample.lines.empty()) return "snap";
  const auto& first = sample.lines.front();
  if (first[0] == "p" || (first[0] == "c" && std::any_of(sample.lines.begin(), sample.lines.end(),
                                                         [](const auto& line) {
                                                           return !line.empty() && line[0] == "p";
                                                         })))
    return "gr";
  if (first.size() == 1 && is_number(first[0]) && sample.lines.size() > 1 &&
      sample.lines[1].size() == 2 && sample.lines[1][0] == "0")
    return "rodinia";
  if (looks_like_metis(sample)) return "metis";
  if (first.size() >= 2 && !is_number(first[0]) && !is_number(first[1])) return "names";
  return "snap";
}

void refuse_binary(const Input& input, std::string_view head) {
  const auto is_strange = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20) & (c != '\n') & (c != '\t') & (c != '\r') &
           (c != '\f');
  };
  unsigned char any = 0;
  for (const char c : head)
    any |= static_cast<unsigned char>(
        is_strange(c));  // many bytes at a time, where a search goes one by one
  if (any == 0) return;
  const auto strange = std::find_if(head.begin(), head.end(), is_strange);
  const auto line = 1 + std::count(head.begin(), strange, '\n');
  throw InputError(
      input.where(static_cast<std::uint64_t>(line)),
      "binary data (byte " + std::to_string(static_cast<unsigned char>(*strange)) +
          ") where text was expected; if the file is .egr or .apg, name it so or give --format");
}

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

const FormatEntry& format_of(Input& input, std::string_view wanted) {
  if (wanted != "auto") return entry(wanted);
  const std::string_view head = input.head();
  if (head.empty()) throw InputError(input.name(), "the file is empty");
  std::string_view format = by_magic(head);
  if (format.empty()) format = by_name(input.name());
  if (format == "egr" || format == "apg") return entry(format);
  refuse_binary(input, head);
  if (format.empty() || ((format == "golf" || format == "el") && by_content(head) == "names"))
    format = by_content(head);
  return entry(format);
}

const FormatEntry& format_for_writing(const std::string& path, std::string_view wanted) {
  std::string_view name = wanted == "auto" ? by_name(path) : wanted;
  if (name.empty()) name = "snap";
  const FormatEntry& found = entry(name);
  if (found.write != nullptr) return found;
  std::string known;
  for (const FormatEntry& e : kEntries)
    if (e.write != nullptr) known += " " + std::string(e.format.name);
  throw UsageError("format '" + std::string(name) + "' can be read but not written; --to takes" +
                   known);
}

}  // namespace antipode
