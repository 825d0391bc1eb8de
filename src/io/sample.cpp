#include "io/sample.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "io/fields.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

// The number of fields in a line; 0 where a quoted one is not closed.
std::size_t fields_in(std::string_view line, char separator) {
  try {
    std::size_t count = 0;
    for (Fields fields(line, separator); fields.next();) ++count;
    return count;
  } catch (const Fault&) {
    return 0;
  }
}

// Words that are names with the separator inside, as in "0,0 0,1"; or an edge and something that
// follows it, as in "1 2 0,5".
bool blanks_explain(const std::vector<std::string_view>& words, char separator) {
  if (separator == '\t' || words.size() < 2) return false;
  const auto has = [&](std::string_view word) {
    return word.find(separator) != std::string_view::npos;
  };
  const auto inside = [&](std::string_view word) {
    return has(word.substr(1, word.size() - std::min<std::size_t>(2, word.size())));
  };
  if (words.size() == 2 && inside(words[0]) && inside(words[1])) return true;
  if (words.size() > 2 && words[2].starts_with('{'))
    return true;  // attributes, as NetworkX writes them
  return is_number(words[0]) && is_number(words[1]);
}

bool separates(const Sample& sample, char separator) {
  const std::size_t columns = fields_in(sample.texts.front(), separator);
  if (columns < 2) return false;
  for (std::size_t i = 0; i < sample.texts.size(); ++i) {
    if (sample.lines[i].empty()) continue;
    if (fields_in(sample.texts[i], separator) != columns) return false;
    if (blanks_explain(sample.lines[i], separator)) return false;
  }
  return true;
}

// Tabs are blanks to the other readers: only quotes, or blanks inside a field, need this one.
bool tabs_matter(const Sample& sample) {
  for (std::size_t i = 0; i < sample.texts.size(); ++i) {
    const auto tabs =
        static_cast<std::size_t>(std::count(sample.texts[i].begin(), sample.texts[i].end(), '\t'));
    if (sample.texts[i].find('"') != std::string_view::npos || sample.lines[i].size() > tabs + 1)
      return true;
  }
  return false;
}

std::optional<std::size_t> place_of(const std::vector<std::string_view>& names,
                                    std::initializer_list<std::string_view> choices) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const std::string_view choice : choices)
      if (std::equal(names[i].begin(), names[i].end(), choice.begin(), choice.end(), same))
        return i;
  return std::nullopt;
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
  if (cut && tokens.at_end() && !lines.empty()) lines.pop_back();  // perhaps only half a line
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  texts.resize(lines.size());
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

bool is_one(std::string_view word) {
  if (!word.starts_with('1')) return false;
  return word.size() == 1 ||
         (word[1] == '.' && word.find_first_not_of('0', 2) == std::string_view::npos);
}

bool starts_comment(char c) { return c == '#' || c == '%'; }

std::uint64_t further_columns(std::string_view rest, bool& lengths) {
  if (rest.starts_with('{')) {
    lengths |= rest.find("'weight'") != std::string_view::npos;
    return 1;
  }
  if (!lengths) {
    const std::string_view third = Tokens(rest).word();
    lengths = !is_one(third) && (is_number(third) || is_decimal(third));
  }
  return Tokens(rest).count_words();
}

bool has_header(const Sample& sample) {
  if (sample.lines.size() < 2) return false;
  const auto is_name = [](std::string_view word) { return !is_number(word) && !is_decimal(word); };
  const auto& first = sample.lines.front();
  if (first.size() < 2 || !is_name(first[0]) || !is_name(first[1])) return false;
  return std::all_of(sample.lines.begin() + 1, sample.lines.end(), [](const auto& line) {
    return line.empty() || (line.size() >= 2 && is_number(line[0]) && is_number(line[1]));
  });
}

std::optional<std::pair<std::size_t, std::size_t>> usual_ends(
    const std::vector<std::string_view>& names) {
  const auto from =
      place_of(names, {"source", "from", "src", "fromnodeid", "from_node", "source_id"});
  const auto to = place_of(
      names, {"target", "to", "dst", "dest", "destination", "tonodeid", "to_node", "target_id"});
  if (!from || !to) return std::nullopt;
  return std::pair{*from, *to};
}

std::optional<std::size_t> usual_length(const std::vector<std::string_view>& names) {
  return place_of(names, {"weight", "length", "distance", "cost"});
}

char separator_of(const Sample& sample) {
  if (sample.lines.empty()) return 0;
  for (const char separator : {';', ','})
    if (separates(sample, separator)) return separator;
  return tabs_matter(sample) && separates(sample, '\t') ? '\t' : '\0';
}

bool looks_like_adjacency(const Sample& sample) {
  std::set<std::size_t> counts;
  bool lonely = false;
  const bool numbers = is_number(sample.lines.front()[0]);
  for (const auto& line : sample.lines) {
    if (line.empty()) continue;
    for (const std::string_view word : line)
      if (is_number(word) != numbers || is_decimal(word) || word.starts_with('{')) return false;
    if (line.size() > 2) counts.insert(line.size());
    lonely |= line.size() == 1;
  }
  return counts.size() > 1 || (lonely && !counts.empty());
}

}  // namespace antipode
