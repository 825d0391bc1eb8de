// Pajek networks (.net): "*Vertices n", lines "number label …" for some or all of them. Then
// "*Arcs" and "*Edges" with a pair and an optional weight per line; "*Arcslist" and "*Edgeslist"
// with a vertex and its neighbours per line. Ids from 1; '%' starts a comment; section names in any
// case. [Batagelj, Mrvar 1998]
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>
#include <utility>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "io/columns.hpp"
#include "io/fields.hpp"
#include "io/formats.hpp"
#include "io/names.hpp"
#include "io/sample.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

enum class Section { none, vertices, arcs, edges, arcs_list, edges_list, other };

Section section_named(std::string_view word, const char* at) {
  std::string name(word);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name == "*network") return Section::none;
  if (name == "*vertices") return Section::vertices;
  if (name == "*arcs") return Section::arcs;
  if (name == "*edges") return Section::edges;
  if (name == "*arcslist") return Section::arcs_list;
  if (name == "*edgeslist") return Section::edges_list;
  if (name == "*matrix")
    throw Fault{at, "a network given as a matrix is not read; Pajek saves it as arcs and edges"};
  for (const char* const other :
       {"*partition", "*vector", "*permutation", "*cluster", "*hierarchy"})
    if (name == other) return Section::other;  // not about edges
  throw Fault{at, fmt::format("an unknown section {}: edges stand under *Arcs, *Edges, *Arcslist "
                              "and *Edgeslist",
                              show(word))};
}

class Network {
 public:
  explicit Network(Lengths wanted) : wanted_(wanted) {}

  void take(std::string_view line) {
    Tokens tokens(line);
    if (!tokens.next_in_line() || tokens.peek() == '%') return;
    const char* const at = tokens.at();
    if (tokens.peek() == '*') {
      section_ = section_named(tokens.word(), at);
      if (section_ == Section::vertices) open(tokens, at);
      return;
    }
    switch (section_) {
      case Section::none:
        throw Fault{at, "a Pajek network opens with '*Vertices n'"};
      case Section::vertices:
        return take_label(line, at);
      case Section::arcs:
        return take_pair(tokens, at, graph_.edges[0], arc_lengths_);
      case Section::edges:
        return take_pair(tokens, at, graph_.both_ways, edge_lengths_);
      case Section::arcs_list:
        return take_list(tokens, at, graph_.edges[0], arc_lengths_);
      case Section::edges_list:
        return take_list(tokens, at, graph_.both_ways, edge_lengths_);
      case Section::other:
        return;
    }
  }

  ParsedGraph finish(const std::string& name) {
    if (!opened_)
      throw InputError(name, "no line '*Vertices n': the file is empty, or no Pajek network");
    set_labels();
    if (wanted_ == Lengths::used) {
      try {
        move_lengths(std::move(arc_lengths_), std::move(edge_lengths_), graph_);
      } catch (const Fault& fault) {
        throw InputError(name, fault.what);
      }
    }
    if (further_) graph_.notices.emplace_back(kMoreColumns);
    graph_.has_directions = !graph_.edges[0].empty();
    if (!graph_.has_directions) {
      graph_.goes_both_ways = true;
      graph_.edges[0] = std::exchange(graph_.both_ways, {});
      if (!graph_.lengths.empty()) graph_.lengths[0] = std::exchange(graph_.both_way_lengths, {});
    }
    return std::move(graph_);
  }

 private:
  void open(Tokens& tokens, const char* at) {
    if (opened_) throw Fault{at, "a second '*Vertices': one network a file is read"};
    opened_ = true;
    tokens.next_in_line();
    const std::uint64_t order = tokens.number("the number of vertices");
    if (order > kMaxOrder)
      throw Fault{at, fmt::format("{} vertices; at most {} can be numbered", order, kMaxOrder)};
    graph_.order = static_cast<Vertex>(order);
  }
  Vertex vertex(Tokens& tokens) {
    tokens.next_in_line();
    const char* const at = tokens.at();
    const std::uint64_t id = tokens.number("a vertex");
    check_id(id, 1, graph_.order, at);
    return static_cast<Vertex>(id - 1);
  }
  // Names are labels if they are given in the order of the vertices, as usual.
  void take_label(std::string_view line, const char* at) {
    Tokens tokens(line);
    const Vertex v = vertex(tokens);
    Fields fields(std::string_view(tokens.at(), static_cast<std::size_t>(line.data() + line.size() -
                                                                         tokens.at())),
                  ' ');
    if (v != names_.size() || !fields.next()) {
      in_order_ = false;
      return;
    }
    if (!is_utf8(fields.field()))
      throw Fault{at, "the name " + show(fields.field()) + " is not UTF-8"};
    push_charged(names_, std::string(fields.field()));
  }
  void take_pair(Tokens& tokens, const char* at, std::vector<Edge>& edges, BlockLengths& lengths) {
    const Vertex from = vertex(tokens);
    push_charged(edges, {from, vertex(tokens)});
    const std::string_view word = tokens.next_in_line() ? tokens.word() : std::string_view();
    const bool is_weight = !word.empty() && (std::isalpha(word[0] & 0x7f) == 0 || word.size() > 2);
    if (wanted_ == Lengths::used) is_weight ? lengths.add(word, at) : lengths.lack(at);
    graph_.has_lengths |= is_length(word);
    further_ |= tokens.next_in_line() && is_value(tokens.word());  // words describe its drawing
  }
  void take_list(Tokens& tokens, const char* at, std::vector<Edge>& edges, BlockLengths& lengths) {
    const Vertex from = vertex(tokens);
    while (tokens.next_in_line()) {
      push_charged(edges, {from, vertex(tokens)});
      if (wanted_ == Lengths::used) lengths.lack(at);
    }
  }
  void set_labels() {
    graph_.labels = Labels::sequential(1, graph_.order);
    if (names_.empty()) return;
    refuse_bytes(names_.size() * 64, "the names of the vertices");
    const std::unordered_set<std::string_view> different(names_.begin(), names_.end());
    const bool all = in_order_ && names_.size() == graph_.order;
    if (all && different.size() == names_.size() && !different.contains("")) {
      graph_.labels = labels_of(names_);
    } else {
      graph_.notices.emplace_back(all ? "vertices are shown by number: their names repeat"
                                      : "vertices are shown by number: some have no name");
    }
  }

  Lengths wanted_;
  Section section_ = Section::none;
  bool opened_ = false, in_order_ = true;
  bool further_ = false;  // numbers after the weight of an edge
  std::vector<std::string> names_;
  BlockLengths arc_lengths_, edge_lengths_;
  ParsedGraph graph_ = [] {
    ParsedGraph graph;
    graph.edges.resize(1);
    return graph;
  }();
};

}  // namespace

ParsedGraph read_pajek(Input& input) {
  Network network(input.lengths());
  while (const auto line = input.line()) {
    try {
      network.take(*line);
    } catch (const Fault& fault) {
      throw InputError(input.where(input.lines_read()), fault.what);
    }
  }
  return network.finish(input.name());
}

}  // namespace antipode
