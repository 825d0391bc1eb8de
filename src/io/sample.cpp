#include "io/sample.hpp"

#include <algorithm>
#include <charconv>

#include "io/fields.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

Row row_of(std::string_view line, char separator) {
  Row row;
  for (Fields fields(line, separator); fields.next();) row.emplace_back(fields.field());
  return row;
}

// Whether blanks explain the words better than the separator. Either names contain the separator,
// as in "0,0 0,1"; or an edge is followed by something else, as in "1 2 0,5".
bool blanks_explain(const std::vector<std::string_view>& words, char separator) {
  if (separator == '\t' || separator == ' ' || words.size() < 2) return false;
  const auto inside = [&](std::string_view word) {
    const std::size_t at = word.find(separator, 1);
    return at != std::string_view::npos && at + 1 < word.size();
  };
  if (words.size() == 2 && inside(words[0]) && inside(words[1])) return true;
  for (std::size_t i = 2; i < words.size(); ++i)  // attributes, as NetworkX writes them
    if (words[i].starts_with('{')) return !words[i - 1].ends_with(separator);
  return is_number(words[0]) && is_number(words[1]);
}

bool separates(const Sample& sample, char separator) {
  const std::vector<Row> rows = rows_of(sample, separator);
  if (rows.empty()) return false;
  const std::size_t columns = rows.back().size(), named = rows.front().size();
  if (columns < 2 || (named != columns && (named < 2 || named + 1 != columns))) return false;
  if (std::any_of(rows.begin() + 1, rows.end(),
                  [=](const Row& row) { return row.size() != columns; }))
    return false;
  std::size_t lines = 0;
  for (const auto& words : sample.lines) {
    lines += words.empty() ? 0 : 1;
    if (blanks_explain(words, separator)) return false;
  }
  return rows.size() == lines && !cuts_names(rows);
}

// Whether tabs must be told from blanks, as they are only here: there are quotes, blanks inside a
// field, or a header whose first column has no name.
bool tabs_matter(const Sample& sample) {
  const bool unnamed = !sample.texts.empty() && sample.texts.front().starts_with('\t');
  for (std::size_t i = 0; i < sample.texts.size(); ++i) {
    const std::string_view text = sample.texts[i];
    const std::size_t words = sample.lines[i].size();
    const auto tabs = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\t'));
    if (text.find('"') != std::string_view::npos || words > tabs + 1) return true;
    if (unnamed && words > sample.lines.front().size()) return true;
  }
  return false;
}

bool has_quotes(const Sample& sample) {
  for (const auto& words : sample.lines)
    for (const std::string_view word : words)
      if (word.starts_with('"')) return true;
  return false;
}

}  // namespace

Sample::Sample(std::string_view head) {
  constexpr std::size_t kLines = 200;
  const bool cut = head.size() >= std::size_t{1} << 16;
  Tokens tokens(head);
  for (; !tokens.at_end() && lines.size() < kLines; tokens.next_line()) {
    std::vector<std::string_view> words;
    const char* const begin = tokens.at();
    const bool comment = tokens.next_in_line() && starts_comment(tokens.peek());
    has_hash_comments |= tokens.peek() == '#';
    while (!comment && tokens.next_in_line()) words.push_back(tokens.word());
    if (comment || (lines.empty() && words.empty())) continue;
    texts.emplace_back(begin, static_cast<std::size_t>(tokens.at() - begin));
    lines.push_back(std::move(words));
  }
  whole = tokens.at_end() && !cut;
  if (cut && tokens.at_end() && lines.size() > 1) lines.pop_back();  // perhaps only half a line
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  texts.resize(lines.size());
}

std::vector<Row> rows_of(const Sample& sample, char separator) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < sample.texts.size(); ++i) {
    const auto& words = sample.lines[i];
    if (words.empty()) continue;
    try {
      rows.push_back(separator == kWords ? Row(words.begin(), words.end())
                                         : row_of(sample.texts[i], separator));
    } catch (const Fault&) {
      return rows;  // reported with its line when the file is read
    }
  }
  return rows;
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("-0123456789") == std::string_view::npos;
}

bool is_decimal(std::string_view word) {
  if (is_number(word) || word.find_first_not_of("+-.eE0123456789") != std::string_view::npos)
    return false;
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size();
}

bool is_value(std::string_view word) { return is_number(word) || is_decimal(word); }

bool is_length(std::string_view word) {
  if (word.starts_with('1') &&
      (word.size() == 1 || ((word[1] == '.' || word[1] == ',') &&
                            word.find_first_not_of('0', 2) == std::string_view::npos)))
    return false;
  const std::size_t comma = word.find(',');
  if (comma == std::string_view::npos) return is_value(word);
  return is_number(word.substr(0, comma)) && is_number(word.substr(comma + 1));
}

bool are_attributes(std::string_view word) {
  return word.starts_with("{}") || word.starts_with("{'");
}

bool starts_comment(char c) { return c == '#' || c == '%'; }

std::uint64_t further_columns(std::string_view rest, bool& lengths) {
  if (rest.starts_with('{')) {
    lengths |= rest.find("'weight'") != std::string_view::npos;
    return 1;
  }
  const std::size_t braces = rest.find('{');
  if (braces != std::string_view::npos && is_blank(rest[braces - 1]) &&
      are_attributes(rest.substr(braces)))
    throw Fault{rest.data(),
                "a name with a blank in it, as attributes in braces come after the third word; "
                "write such names with delimiter='\\t', or as GraphML"};
  if (!lengths) lengths = is_length(Tokens(rest).word());
  return Tokens(rest).count_words();
}

char separator_of(const Sample& sample) {
  for (const char separator : {';', ','})
    if (separates(sample, separator)) return separator;
  if (tabs_matter(sample) && separates(sample, '\t')) return '\t';
  return has_quotes(sample) && separates(sample, ' ') ? ' ' : '\0';
}

bool cuts_names(const std::vector<Row>& rows) {
  const auto is_open = [](const Row& row) {
    return std::count(row[0].begin(), row[0].end(), '(') >
           std::count(row[0].begin(), row[0].end(), ')');
  };
  return !rows.empty() &&
         std::all_of(rows.begin() + (rows.size() > 1 ? 1 : 0), rows.end(), is_open);
}

}  // namespace antipode
