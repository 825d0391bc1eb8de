// GraphML: nodes with ids, edges between them, attributes of either under keys. Streamed through
// expat: only ids and edges are kept. Entities defined by the document are refused, so that none
// can expand. [Brandes, Eiglsperger, Herman, Himsolt, Marshall 2002]
#include "antipode/error.hpp"
#include "io/formats.hpp"

#ifndef ANTIPODE_HAS_EXPAT

namespace antipode {

ParsedGraph read_graphml(Input& input) {
  throw InputError(
      input.name(),
      "GraphML cannot be read: this program was built without the expat library (libexpat1-dev); "
      "in Python, networkx.write_edgelist writes a file that can");
}

}  // namespace antipode

#else

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>
#include <utility>

#include "graph/limits.hpp"
#include "io/names.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

class Attributes {
 public:
  explicit Attributes(const XML_Char** pairs) : pairs_(pairs) {}
  // Empty if there is none of that name.
  std::string_view operator[](std::string_view name) const {
    for (const XML_Char** at = pairs_; *at != nullptr; at += 2)
      if (name == *at) return at[1];
    return {};
  }

 private:
  const XML_Char** pairs_;
};

// Interprets the elements one after the other. A Fault needs no place here: the parser knows the
// line.
class Document {
 public:
  explicit Document(Lengths wanted) : wanted_(wanted) {}

  void start(std::string_view element, const Attributes& attributes) {
    if (depth_++ == 0 && element != "graphml")
      refuse("the first element is " + show(element) + ", not 'graphml'");
    if (element == "graph") start_graph(attributes["edgedefault"]);
    if (element == "key") take_key(attributes);
    if (element == "default") reads_ = is_length_key_ ? &default_ : nullptr;
    if (element == "data")
      reads_ = in_edge_ && attributes["key"] == length_key_ ? &length_ : nullptr;
    if (reads_ != nullptr) reads_->clear();
    if (element == "node") take_node(attributes["id"]);
    if (element == "edge") take_edge(attributes);
    if (element == "hyperedge")
      refuse("a hyperedge joins more than two vertices: these are not read");
  }
  void end(std::string_view element) {
    --depth_;
    if (element == "graph") in_graph_ = false;
    if (element == "key") is_length_key_ = false;
    if (element == "default" || element == "data") reads_ = nullptr;
    if (element == "edge") finish_edge();
  }
  void text(std::string_view piece) {
    constexpr std::size_t kMost = 4096;
    if (reads_ == nullptr) return;
    *reads_ += piece;
    if (reads_->size() > kMost) refuse("a length of more than 4096 characters");
  }

  ParsedGraph finish(const std::string& name) {
    if (graphs_ == 0) throw InputError(name, "no element 'graph': there is no graph in this file");
    for (std::size_t i = 0; i < declared_.size(); ++i)
      if (!declared_[i])
        throw InputError(
            name, "an edge ends at " + show(nodes_.names()[i]) + ", which is no node of the file");
    ParsedGraph graph;
    graph.order = checked_order(nodes_.names().size(), name);
    graph.labels = labels_of(nodes_.names());
    graph.goes_both_ways = arcs_.empty();
    graph.has_directions = !arcs_.empty();
    graph.has_lengths = lengths_;
    if (wanted_ == Lengths::used) take_lengths(graph, name);
    if (arcs_.empty()) {
      graph.edges.push_back(std::move(edges_));
    } else {
      graph.edges.push_back(std::move(arcs_));
      graph.both_ways = std::move(edges_);
    }
    return graph;
  }

 private:
  [[noreturn]] static void refuse(std::string what) { throw Fault{nullptr, std::move(what)}; }

  void start_graph(std::string_view edge_default) {
    if (in_graph_) refuse("a graph inside a graph: nested graphs are not read");
    if (++graphs_ > 1) refuse("a second graph: one graph a file is read");
    in_graph_ = true;
    directed_ = edge_default == "directed";
  }
  void take_key(const Attributes& attributes) {
    const std::string_view of = attributes["for"], name = attributes["attr.name"];
    constexpr std::string_view kNames[] = {"weight", "length", "distance", "cost"};
    is_length_key_ = (of == "edge" || of == "all") &&
                     std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) &&
                     (!lengths_ || name == "weight");
    lengths_ |= is_length_key_;
    if (!is_length_key_) return;
    length_key_ = attributes["id"];
    default_.clear();
  }
  void take_node(std::string_view id) {
    if (!in_graph_) refuse("a node outside a graph");
    if (id.empty()) refuse("a node without an id");
    const Vertex v = vertex(id);
    if (declared_[v]) refuse("the node " + show(id) + " is there twice");
    declared_[v] = true;
  }
  void take_edge(const Attributes& attributes) {
    if (!in_graph_) refuse("an edge outside a graph");
    const std::string_view source = attributes["source"], target = attributes["target"],
                           directed = attributes["directed"];
    if (source.empty() || target.empty()) refuse("an edge without a source or a target");
    const Vertex from = vertex(source);
    const bool arc = directed.empty() ? directed_ : directed == "true";
    push_charged(arc ? arcs_ : edges_, {from, vertex(target)});
    in_edge_ = true;
    is_arc_ = arc;
    length_.clear();
  }
  void finish_edge() {
    if (!std::exchange(in_edge_, false) || wanted_ == Lengths::ignored) return;
    std::string_view word = trimmed(length_);
    if (word.empty()) word = trimmed(default_);
    (is_arc_ ? arc_lengths_ : edge_lengths_).take(word, nullptr);
  }
  static std::string_view trimmed(std::string_view text) {
    constexpr const char* kBlanks = " \t\r\n";
    const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
    return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
  }
  void take_lengths(ParsedGraph& graph, const std::string& name) {
    try {
      if (arcs_.empty()) {
        move_lengths(std::move(edge_lengths_), {}, graph);
      } else {
        move_lengths(std::move(arc_lengths_), std::move(edge_lengths_), graph);
      }
    } catch (const Fault& fault) {
      throw InputError(name, fault.what);
    }
  }
  Vertex vertex(std::string_view id) {
    const Vertex v = nodes_.id(id);
    if (v == declared_.size()) declared_.push_back(false);
    return v;
  }

  Lengths wanted_;
  Dictionary nodes_;
  std::vector<bool> declared_;
  std::vector<Edge> arcs_, edges_;
  BlockLengths arc_lengths_, edge_lengths_;
  std::string length_key_, default_, length_;  // the latter: of this edge
  std::string* reads_ = nullptr;               // where characters go
  bool is_length_key_ = false, in_edge_ = false, is_arc_ = false;
  int graphs_ = 0, depth_ = 0;
  bool in_graph_ = false, directed_ = false, lengths_ = false;
};

// Connects expat to the document. Exceptions must not pass through C code: they stop the parser and
// are rethrown after it.
class Parser {
 public:
  explicit Parser(Input& input)
      : input_(input),
        parser_(XML_ParserCreate(nullptr), XML_ParserFree),
        document_(input.lengths()) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), on_start, on_end);
    if (input.lengths() == Lengths::used) XML_SetCharacterDataHandler(parser_.get(), on_text);
    XML_SetEntityDeclHandler(parser_.get(), on_entity);
  }

  ParsedGraph run() {
    constexpr int kPiece = 1 << 16;
    // A tag or a comment is scanned from its beginning after each piece: without a limit, that
    // takes time that grows with the square of its length.
    constexpr XML_Index kLongest = 1 << 22;
    XML_Index read = 0;
    for (bool more = true; more;) {
      void* const buffer = XML_GetBuffer(parser_.get(), kPiece);
      if (buffer == nullptr) throw std::bad_alloc();
      const std::size_t count = input_.bytes(static_cast<char*>(buffer), kPiece);
      more = count == kPiece;
      const XML_Status status =
          XML_ParseBuffer(parser_.get(), static_cast<int>(count), more ? XML_FALSE : XML_TRUE);
      if (failure_) std::rethrow_exception(failure_);
      if (status == XML_STATUS_ERROR && XML_GetErrorCode(parser_.get()) == XML_ERROR_NO_MEMORY)
        throw std::bad_alloc();
      if (status == XML_STATUS_ERROR)
        throw InputError(
            where(), fmt::format("no XML: {}", XML_ErrorString(XML_GetErrorCode(parser_.get()))));
      read += static_cast<XML_Index>(count);
      if (read - XML_GetCurrentByteIndex(parser_.get()) > kLongest)
        throw InputError(where(), "a tag or a comment of more than 4 MB: no graph needs these");
    }
    return document_.finish(input_.name());
  }

 private:
  std::string where() const { return input_.where(XML_GetCurrentLineNumber(parser_.get())); }

  template <class Action>
  void guarded(Action action) {
    if (failure_) return;
    try {
      action();
    } catch (const Fault& fault) {
      failure_ = std::make_exception_ptr(InputError(where(), fault.what));
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (failure_) XML_StopParser(parser_.get(), XML_FALSE);
  }
  static std::string_view local_name(std::string_view element) {
    return element.substr(element.find(':') + 1);
  }
  static void XMLCALL on_start(void* self, const XML_Char* element, const XML_Char** attributes) {
    auto* const parser = static_cast<Parser*>(self);
    parser->guarded([&] { parser->document_.start(local_name(element), Attributes(attributes)); });
  }
  static void XMLCALL on_end(void* self, const XML_Char* element) {
    auto* const parser = static_cast<Parser*>(self);
    parser->guarded([&] { parser->document_.end(local_name(element)); });
  }
  static void XMLCALL on_text(void* self, const XML_Char* text, int length) {
    auto* const parser = static_cast<Parser*>(self);
    parser->guarded([&] { parser->document_.text({text, static_cast<std::size_t>(length)}); });
  }
  static void XMLCALL on_entity(void* self, const XML_Char*, int, const XML_Char*, int,
                                const XML_Char*, const XML_Char*, const XML_Char*,
                                const XML_Char*) {
    static_cast<Parser*>(self)->guarded([] {
      throw Fault{nullptr, "the document declares entities of its own: these are not expanded"};
    });
  }

  Input& input_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  Document document_;
  std::exception_ptr failure_;
};

}  // namespace

ParsedGraph read_graphml(Input& input) { return Parser(input).run(); }

}  // namespace antipode

#endif
