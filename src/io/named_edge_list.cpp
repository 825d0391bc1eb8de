// Edge lists whose vertices are words: "alice bob". Every block has a dictionary of its own;
// merging them costs one look-up per distinct name and block.
#include <functional>
#include <unordered_map>

#include "antipode/error.hpp"
#include "io/blocks.hpp"
#include "io/formats.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

// Answers are UTF-8, so names must be.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return false;
    std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + k]);
      if ((byte & 0xC0) != 0x80) return false;
      code = code << 6 | (byte & 0x3F);
    }
    if ((length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10FFFF)) ||
        (code >= 0xD800 && code < 0xE000))
      return false;
    i += length;
  }
  return true;
}

class Dictionary {
 public:
  Vertex id(std::string_view name) {
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    if (!is_utf8(name)) throw Fault{name.data(), "the name " + shown(name) + " is not UTF-8"};
    names_.emplace_back(name);
    return ids_.emplace(name, static_cast<Vertex>(names_.size() - 1)).first->second;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, Vertex, TextHash, std::equal_to<>> ids_;
  std::vector<std::string> names_;
};

struct Piece {
  Dictionary dictionary;
  std::vector<Edge> edges;
  bool extra_columns = false;
};

Piece parse_piece(std::string_view text) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos)
    throw Fault{text.data() + nul, "a NUL byte: this is not a text file"};
  Piece piece;
  for (Tokens tokens(text); !tokens.at_end(); tokens.next_line()) {
    if (!tokens.next_in_line() || tokens.peek() == '#' || tokens.peek() == '%') continue;
    const std::string_view from = tokens.word();
    if (!tokens.next_in_line()) throw Fault{from.data(), "one name where an edge needs two"};
    const Vertex source = piece.dictionary.id(from);
    piece.edges.push_back({source, piece.dictionary.id(tokens.word())});
    piece.extra_columns |= tokens.next_in_line();
  }
  return piece;
}

}  // namespace

ParsedGraph read_named_edge_list(Input& input) {
  ParsedGraph graph;
  Dictionary all;
  bool extra_columns = false;
  parse_blocks(input, parse_piece, [&](std::string_view, Piece&& piece) {
    std::vector<Vertex> global;
    for (const auto& name : piece.dictionary.names()) global.push_back(all.id(name));
    for (Edge& e : piece.edges) e = {global[e.from], global[e.to]};
    extra_columns |= piece.extra_columns;
    graph.edges.push_back(std::move(piece.edges));
    checked_order(all.names().size(), input.name());
  });
  if (all.names().empty())
    throw InputError(input.name(), "no edges: the file is empty or holds only comments");
  graph.order = checked_order(all.names().size(), input.name());
  graph.labels = Labels::names(all.names());
  if (extra_columns)
    graph.notices.emplace_back(
        "columns after the second are read past; weights are not used in this version");
  return graph;
}

}  // namespace antipode
