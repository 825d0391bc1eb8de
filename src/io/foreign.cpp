// The formats that are refused by name, how to convert them, and how each syntax is recognized.
#include "io/foreign.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <set>

#include "io/sample.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

constexpr std::string_view kColumns =
    "--columns 1,2 takes the first two columns as the ends of an edge, --columns 1,3 the first and "
    "the third";

constexpr Foreign kForeign[] = {
    {.name = "gexf",
     .endings = ".gexf",
     .what = "GEXF",
     .instead = "in Python, networkx.write_graphml(networkx.read_gexf(FILE), 'graph.graphml')"},
    {.name = "dot",
     .endings = ".dot .gv",
     .what = "DOT, Graphviz's language",
     .instead = "in Python, networkx.write_graphml(networkx.nx_pydot.read_dot(FILE), "
                "'graph.graphml'), which needs pydot"},
    {.name = "gml",
     .endings = ".gml",
     .what = "GML",
     .instead =
         "in Python, networkx.write_graphml(networkx.read_gml(FILE, label='id'), 'graph.graphml')"},
    {.name = "markup",
     .endings = ".xml .html",
     .what = "XML or HTML that is neither GraphML nor GEXF",
     .instead = "perhaps a page was saved in place of the file it links to"},
    {.name = "pdf",
     .endings = ".pdf",
     .what = "a PDF document",
     .instead = "perhaps a paper was saved in place of its data"},
    {.name = "adjacency list",
     .endings = ".adjlist",
     .what = "an adjacency list: every line seems to be a vertex and its neighbours",
     .instead = "in Python, networkx.write_edgelist(networkx.read_adjlist(FILE), 'graph.txt', "
                "data=False); or, if the first two words of a line are an edge, --format snap "
                "for numbers, --format names for words, and --columns 1,2 for tables"},
    {.name = "multiline adjacency list",
     .endings = "",
     .what = "a multiline adjacency list",
     .instead =
         "in Python, networkx.write_edgelist(networkx.read_multiline_adjlist(FILE), 'graph.txt')"},
    {.name = "adjacency matrix",
     .endings = "",
     .what = "an adjacency matrix",
     .instead =
         "in Python, networkx.write_edgelist(networkx.from_numpy_array(MATRIX), 'graph.txt', "
         "data=False)"},
    {.name = "relation",
     .endings = ".sif",
     .what = "a table with a relation between the ends of each edge",
     .instead = kColumns},
    {.name = "row names",
     .endings = "",
     .what = "a table with a column for which its header has no name, such as row names",
     .instead =
         "write it without row names, or give the columns of the ends by number: --columns 2,3"},
    {.name = "names with blanks",
     .endings = "",
     .what = "an edge list of names with blanks or separators in them",
     .instead = "write it with delimiter='\\t', or as GraphML"},
    {.name = "lgl",
     .endings = ".lgl",
     .what = "LGL, a list of neighbours under each vertex",
     .instead = "in Python, igraph.Graph.Read_Lgl(FILE).write_ncol('graph.txt')"},
    {.name = "leda",
     .endings = ".lgr",
     .what = "a LEDA graph",
     .instead = "in Python, networkx.write_graphml(networkx.read_leda(FILE), 'graph.graphml')"},
    {.name = "gdf",
     .endings = ".gdf",
     .what = "GDF, GUESS's format",
     .instead = "Gephi saves it as GraphML"},
    {.name = "gspan",
     .endings = "",
     .what = "a list of graphs as gSpan reads it",
     .instead = "write the lines 'e' of one graph alone"},
    {.name = "cypher",
     .endings = ".cypher .cql",
     .what = "Cypher, a graph database's language",
     .instead = "write the edges as comma-separated values: "
                "MATCH (a)-->(b) RETURN id(a) AS source, id(b) AS target"},
    {.name = "python",
     .endings = "",
     .what = "a dictionary or a list as Python prints it",
     .instead =
         "in Python, networkx.write_edgelist(networkx.Graph(DATA), 'graph.txt', data=False)"},
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

// An object or a list, by its first character and the start of its first member.
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

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "graph [", perhaps after Creator, Version and the like.
bool is_gml(std::string_view text) {
  for (text = without_comments(text); !text.empty(); text = without_comments(text)) {
    const std::string word = lower_case(take_word(text, " \t\r\n["));
    if (word == "graph") return text.starts_with('[');
    if (!is_one_of(word, {"creator", "version", "comment", "label", "directed", "multigraph"}))
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

// {0: [1, 2]} or [(0, 1)], as print() leaves them.
bool is_python(std::string_view text) {
  if (text.starts_with("[(")) return true;
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with('{') &&
         (line.find(": [") != std::string_view::npos ||
          line.find(": {") != std::string_view::npos || line.find(": (") != std::string_view::npos);
}

// "# ann", then each of its neighbours once, perhaps with a weight; then the same for other
// vertices.
bool is_lgl(std::string_view text) {
  constexpr int kLines = 200;
  std::set<std::string_view> heads, block;
  bool numbers = false;
  Tokens tokens(text);
  for (int i = 0; i < kLines && !tokens.at_end(); ++i, tokens.next_line()) {
    if (!tokens.next_in_line()) continue;
    std::string_view word = tokens.word();
    const bool is_head = word == "#";
    if (is_head) {
      if (!tokens.next_in_line() || !heads.insert(word = tokens.word()).second) return false;
      block.clear();
    }
    if (i == 0) numbers = is_number(word);
    if ((i < 2 && is_head != (i == 0)) || is_number(word) != numbers || !block.insert(word).second)
      return false;
    if (tokens.next_in_line() && (is_head || !is_value(tokens.word()) || tokens.next_in_line()))
      return false;
  }
  return heads.size() > 1;
}

// CREATE (a)-[:KNOWS]->(b), after comments: a clause, and the bracket of a vertex.
bool is_cypher(std::string_view text) {
  text = without_comments(text);
  if (text.starts_with(":begin")) return true;
  std::string word = lower_case(take_word(text, " \t\r\n("));
  if (word == "optional") word = lower_case(take_word(text, " \t\r\n("));
  return is_one_of(word, {"create", "merge", "match"}) && text.starts_with('(') &&
         text.find(')') != std::string_view::npos;
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
  if (text.starts_with("%PDF-")) return "pdf";
  if (text.starts_with(">>sparse6<<")) return "sparse6";
  if (text.starts_with(">>graph6<<") || text.starts_with(">>digraph6<<")) return "graph6";
  if (text.starts_with("LEDA.GRAPH")) return "leda";
  if (text.starts_with("nodedef>")) return "gdf";
  if (text.starts_with("t # ")) return "gspan";
  if (is_lgl(text)) return "lgl";
  if (is_python(text)) return "python";
  if (is_pajek(text)) return "pajek";
  if (is_dot(text)) return "dot";
  if (is_cypher(text)) return "cypher";
  return is_gml(text) ? "gml" : std::string_view();
}

}  // namespace antipode
