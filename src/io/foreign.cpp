#include "io/foreign.hpp"

#include <algorithm>
#include <cctype>

#include "io/tokens.hpp"

namespace antipode {

namespace {

constexpr Foreign kForeign[] = {
    {"gexf", ".gexf", "GEXF",
     "in Python, networkx.write_graphml(networkx.read_gexf(FILE), 'graph.graphml')"},
    {"dot", ".dot .gv", "DOT, Graphviz's language",
     "in Python, networkx.write_graphml(networkx.nx_pydot.read_dot(FILE), 'graph.graphml')"},
    {"gml", ".gml", "GML",
     "in Python, networkx.write_graphml(networkx.read_gml(FILE, label='id'), 'graph.graphml')"},
    {"markup", ".xml .html", "XML or HTML that is neither GraphML nor GEXF",
     "perhaps a page was saved in place of the file it links to"},
    {"adjacency list", ".adjlist",
     "an adjacency list: every line seems to be a vertex and its neighbours",
     "in Python, networkx.write_edgelist(networkx.read_adjlist(FILE), 'graph.txt', data=False); "
     "or, if the first two words of "
     "a line are an edge, --format snap for numbers and --format names for words"},
};

std::string lower_case(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

std::string_view take_word(std::string_view& text, std::string_view ends) {
  const std::string_view word = text.substr(0, text.find_first_of(ends));
  text = without_blanks(text.substr(word.size()));
  return word;
}

// An object or a list whose first member can follow.
bool is_json(std::string_view text) {
  if (!text.starts_with('{') && !text.starts_with('[')) return false;
  const std::string_view inside = without_blanks(text.substr(1));
  if (inside.empty()) return true;
  return text[0] == '{'
             ? inside[0] == '"' || inside[0] == '}'
             : std::string_view("{[]\"-0123456789tfn").find(inside[0]) != std::string_view::npos;
}

std::string_view markup(std::string_view text) {
  if (text.find("<graphml") != std::string_view::npos ||
      text.find(":graphml") != std::string_view::npos)
    return "graphml";
  return text.find("<gexf") != std::string_view::npos ? "gexf" : "markup";
}

// Comments of C and of the shell.
std::string_view without_comments(std::string_view text) {
  for (;;) {
    text = without_blanks(text);
    std::size_t end = 0;
    if (text.starts_with("//") || text.starts_with('#')) {
      end = text.find('\n');
    } else if (text.starts_with("/*")) {
      end = text.find("*/");
      end = end == std::string_view::npos ? end : end + 2;
    }
    if (end == 0) return text;
    text.remove_prefix(std::min(end, text.size()));
  }
}

// [strict] graph|digraph [name] {
bool is_dot(std::string_view text) {
  text = without_comments(text);
  std::string word = lower_case(take_word(text, " \t\r\n{"));
  if (word == "strict") word = lower_case(take_word(text, " \t\r\n{"));
  if (word != "graph" && word != "digraph") return false;
  if (text.starts_with('"')) {
    const std::size_t end = text.find('"', 1);
    text =
        end == std::string_view::npos ? std::string_view() : without_blanks(text.substr(end + 1));
  } else if (!text.starts_with('{')) {
    take_word(text, " \t\r\n{");
  }
  return without_comments(text).starts_with('{');
}

// graph [, perhaps after Creator and Version.
bool is_gml(std::string_view text) {
  for (text = without_comments(text); !text.empty(); text = without_comments(text)) {
    const std::string word = lower_case(take_word(text, " \t\r\n["));
    if (word == "graph") return text.starts_with('[');
    if (word != "creator" && word != "version" && word != "comment" && word != "label")
      return false;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  return false;
}

bool is_pajek(std::string_view text) {
  while (text.starts_with('%'))
    text = without_blanks(text.substr(std::min(text.find('\n'), text.size())));
  const std::string word = lower_case(take_word(text, " \t\r\n"));
  return word == "*vertices" || word == "*network";
}

}  // namespace

const Foreign* foreign_format(std::string_view name) {
  const auto found = std::find_if(std::begin(kForeign), std::end(kForeign),
                                  [&](const Foreign& each) { return each.name == name; });
  return found == std::end(kForeign) ? nullptr : found;
}

const Foreign* foreign_by_file(std::string_view file) {
  for (const Foreign& each : kForeign)
    for (Tokens endings(each.endings); endings.next();)
      if (file.ends_with(endings.word())) return &each;
  return nullptr;
}

std::string refusal(const Foreign& format) {
  return std::string(format.what) + ", which is not read; " + std::string(format.instead);
}

std::string_view format_by_syntax(std::string_view head) {
  const std::string_view text = without_blanks(head);
  if (is_json(text)) return "json";
  if (text.starts_with('<')) return markup(text);
  if (text.starts_with(">>sparse6<<")) return "sparse6";
  if (text.starts_with(">>graph6<<") || text.starts_with(">>digraph6<<")) return "graph6";
  if (is_pajek(text)) return "pajek";
  if (is_dot(text)) return "dot";
  return is_gml(text) ? "gml" : std::string_view();
}

}  // namespace antipode
