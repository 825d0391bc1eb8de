// Node-link JSON, as networkx.node_link_data writes it: {"directed": …, "nodes": [{"id": …}, …],
// and "links" or "edges": [{"source": …, "target": …}, …]}, in any order. Streamed: only ids and
// edges are kept. Other JSON is refused by name.
#include "antipode/error.hpp"
#include "io/formats.hpp"

#ifndef ANTIPODE_HAS_JSON

namespace antipode {

ParsedGraph read_node_link(Input& input) {
  throw InputError(input.name(),
                   "node-link JSON cannot be read: this build is without the JSON library "
                   "(nlohmann-json3-dev); networkx.write_edgelist writes a file that can");
}

}  // namespace antipode

#else

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "graph/limits.hpp"
#include "io/names.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

constexpr const char* kHowToWrite =
    "in Python, json.dump(networkx.node_link_data(graph), file) writes one";

// The bytes of an input, and the line that was reached.
class ByteSource {
 public:
  explicit ByteSource(Input& input) : input_(input), buffer_(1 << 16, '\0') { refill(); }
  bool done() const { return at_ == end_; }
  char peek() const { return buffer_[at_]; }
  void advance() {
    if (buffer_[at_] == '\n') ++line_;
    if (++at_ == end_) refill();
  }
  std::string where() const { return input_.where(line_); }
  void value_ends() { pieces_of_value_ = 0; }

 private:
  // Refuses values that are too long, since the parser stores a value until it ends.
  void refill() {
    constexpr unsigned kMostPieces = 64;
    if (++pieces_of_value_ > kMostPieces)
      throw InputError(where(), "a value of more than 4 MB: this is no id, and no node-link JSON");
    at_ = 0;
    end_ = input_.bytes(buffer_.data(), buffer_.size());
  }

  Input& input_;
  std::string buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::uint64_t line_ = 1;
  unsigned pieces_of_value_ = 0;  // read since the last one ended
};

struct ByteIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  ByteSource* source = nullptr;  // none: the end

  char operator*() const { return source->peek(); }
  ByteIterator& operator++() {
    source->advance();
    return *this;
  }
  bool at_end() const { return source == nullptr || source->done(); }
  friend bool operator==(const ByteIterator& a, const ByteIterator& b) {
    return a.at_end() == b.at_end();
  }
};

// Follows the parser through the document. `depth_` containers are open; the relevant lists are at
// depth 2.
class Handler final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Handler(ByteSource& source, Lengths wanted) : source_(source), wanted_(wanted) {}

  bool null() override { return other("null"); }
  bool boolean(bool value) override {
    if (depth_ == 1 && key_ == "directed") directed_ = value;
    return other(value ? "true" : "false");
  }
  bool number_integer(number_integer_t value) override {
    return scalar(std::to_string(value), value == 1);
  }
  bool number_unsigned(number_unsigned_t value) override {
    return scalar(std::to_string(value), value == 1);
  }
  bool number_float(number_float_t value, const string_t& text) override {
    if (depth_ == 3 && is_end())
      refuse(fmt::format("the id {}: ids are whole numbers or words", show(text)));
    return scalar(text, value == 1);
  }
  bool string(string_t& text) override { return scalar(text, false); }
  bool binary(binary_t&) override { return other("binary data"); }

  bool start_object(std::size_t) override {
    source_.value_ends();
    if (depth_ == 3 && is_end())
      refuse(fmt::format("'{}' is an object: ids are whole numbers or words", field_));
    if (depth_ == 2 && list_ != List::none) from_.reset(), to_.reset(), weight_.clear();
    ++depth_;
    return true;
  }
  bool key(string_t& name) override {
    source_.value_ends();
    if (depth_ == 1) take_section(name);
    if (depth_ == 3) field_ = name;
    return true;
  }
  bool end_object() override {
    --depth_;
    if (depth_ == 2) finish_entry();
    return true;
  }
  bool start_array(std::size_t) override {
    source_.value_ends();
    if (depth_ == 0) refuse(fmt::format("a JSON list, not node-link JSON; {}", kHowToWrite));
    if (depth_ == 2) check_entry("a list");
    if (depth_ == 3 && is_end())
      refuse(fmt::format("'{}' is a list: ids are whole numbers or words", field_));
    ++depth_;
    return true;
  }
  bool end_array() override {
    if (--depth_ == 1) list_ = List::none;
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    const std::string_view what = error.what();
    const std::size_t reason = what.find("syntax error");
    refuse(
        fmt::format("no JSON: {}", reason == std::string_view::npos ? what : what.substr(reason)));
  }

  ParsedGraph finish(const std::string& name) {
    if (!nodes_seen_ || !links_seen_) refuse_shape(name);
    for (std::size_t i = 0; i < declared_.size(); ++i) {
      if (!declared_[i])
        throw InputError(name, fmt::format("an edge ends at {}, which is the id of no node; {}",
                                           show(ids_.names()[i]), kHowToWrite));
    }
    ParsedGraph graph;
    graph.order = checked_order(ids_.names().size(), name);
    graph.edges.push_back(std::move(edges_));
    graph.has_lengths = lengths_;
    if (wanted_ == Lengths::used) move_lengths(std::move(kept_lengths_), {}, graph);
    graph.labels = labels_of(ids_.names());
    graph.goes_both_ways = !directed_;
    graph.has_directions = directed_;
    return graph;
  }

 private:
  enum class List { none, nodes, links };

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(source_.where(), what);
  }

  [[noreturn]] void refuse_shape(const std::string& name) const {
    const char* const kind = elements_                ? "Cytoscape JSON"
                             : adjacency_             ? "adjacency JSON"
                             : graph_ && !nodes_seen_ ? "JSON Graph Format, perhaps"
                                                      : "some other JSON";
    throw InputError(
        name, fmt::format("{}, not node-link JSON with 'nodes' and 'links' (or 'edges'); {}", kind,
                          kHowToWrite));
  }

  void take_section(const std::string& name) {
    key_ = name;
    list_ = name == "nodes"                      ? List::nodes
            : name == "links" || name == "edges" ? List::links
                                                 : List::none;
    elements_ |= name == "elements";
    adjacency_ |= name == "adjacency";
    graph_ |= name == "graph" || name == "graphs";
    bool* const seen = list_ == List::nodes   ? &nodes_seen_
                       : list_ == List::links ? &links_seen_
                                              : nullptr;
    if (seen != nullptr && std::exchange(*seen, true))
      refuse(fmt::format("a second list of {}", list_ == List::nodes ? "nodes" : "edges"));
  }
  // Whether the field of this entry names a vertex.
  bool is_end() const {
    if (list_ == List::nodes) return field_ == "id";
    return list_ == List::links && (field_ == "source" || field_ == "target");
  }
  void check_entry(const char* what) const {
    if (list_ != List::none)
      refuse(fmt::format("an entry of '{}' is {}, not an object; {}", key_, what, kHowToWrite));
  }
  bool other(const char* what) {
    source_.value_ends();
    if (depth_ == 0) refuse(fmt::format("JSON, but not an object; {}", kHowToWrite));
    if (depth_ == 1 && list_ != List::none)
      refuse(fmt::format("'{}' is {}, not a list; {}", key_, what, kHowToWrite));
    if (depth_ == 2) check_entry(what);
    if (depth_ == 3 && is_end())
      refuse(fmt::format("'{}' is {}: ids are whole numbers or words", field_, what));
    return true;
  }
  bool scalar(const std::string& text, bool is_one) {
    source_.value_ends();
    if (depth_ != 3) return other("a single value");
    if (is_end()) {
      (field_ == "target" ? to_ : from_) = text;
    } else if (list_ == List::links && field_ == "weight") {
      lengths_ |= !is_one;
      if (wanted_ == Lengths::used) weight_ = text;
    }
    return true;
  }
  void finish_entry() {
    if (list_ == List::nodes) {
      if (!from_) refuse(fmt::format("a node without 'id'; {}", kHowToWrite));
      const Vertex v = vertex(*from_);
      if (declared_[v]) refuse(fmt::format("the node {} is there twice", show(*from_)));
      declared_[v] = true;
    } else if (list_ == List::links) {
      if (!from_ || !to_)
        refuse(fmt::format("an edge without 'source' or 'target'; {}", kHowToWrite));
      const Vertex from = vertex(*from_);
      push_charged(edges_, {from, vertex(*to_)});
      if (wanted_ == Lengths::used) take_weight();
    }
  }
  void take_weight() {
    try {
      kept_lengths_.take(weight_, nullptr);
    } catch (const Fault& fault) {
      refuse(fault.what);
    }
  }
  Vertex vertex(const std::string& id) {
    const Vertex v = ids_.id(id);
    if (v == declared_.size()) declared_.push_back(false);
    return v;
  }

  ByteSource& source_;
  Lengths wanted_;
  unsigned depth_ = 0;
  std::string key_, field_;  // at depth 1, and at depth 3
  List list_ = List::none;
  std::optional<std::string> from_, to_;  // of this entry; a node's id is in from_
  std::string weight_;                    // of this entry; empty: it has none
  BlockLengths kept_lengths_;
  Dictionary ids_;
  std::vector<bool> declared_;
  std::vector<Edge> edges_;
  bool directed_ = false, lengths_ = false, nodes_seen_ = false, links_seen_ = false;
  bool elements_ = false, adjacency_ = false, graph_ = false;
};

}  // namespace

ParsedGraph read_node_link(Input& input) {
  ByteSource source(input);
  Handler handler(source, input.lengths());
  nlohmann::json::sax_parse(ByteIterator{&source}, ByteIterator{}, &handler);
  return handler.finish(input.name());
}

}  // namespace antipode

#endif
