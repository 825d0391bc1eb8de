// Writers of the exchange formats: edge list, Matrix Market, ECL. Lengths are written in the unit
// of the file they came from; a directed graph as its arcs.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/io.hpp"
#include "graph/limits.hpp"
#include "io/detect.hpp"
#include "io/formats.hpp"
#include "io/output.hpp"
#include "io/sample.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

// visit(from, to, arc) for every edge, or arc.
template <class Visit>
void for_each_edge(const Graph& graph, Visit visit) {
  const Adjacency rows = graph.adjacency();
  for (Vertex v = 0; v < graph.order(); ++v)
    for (EdgeOffset arc = rows.offsets[v]; arc < rows.offsets[v + 1]; ++arc)
      if (v < rows.targets[arc] || graph.is_directed()) visit(v, rows.targets[arc], arc);
}

// The length of an arc after a separator; nothing if the graph has no lengths.
std::string length_column(const Graph& graph, EdgeOffset arc, char separator) {
  if (!graph.has_lengths()) return {};
  return separator + to_text(graph.adjacency().lengths[arc], graph.unit());
}

bool has_edges(const Graph& graph, Vertex v) {
  return graph.degree(v) > 0 || graph.into().degree(v) > 0;
}

bool numbered_from(const Graph& graph, std::uint64_t first) {
  return !graph.is_derived() && graph.labels().kind() == Labels::Kind::sequential &&
         graph.labels().first() == first;
}

// Gathers formatted text and writes it in large pieces.
class Lines {
 public:
  explicit Lines(OutputFile& file) : file_(file) {}
  template <class... Parts>
  void add(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Parts>(parts)...);
    if (buffer_.size() > 1 << 20) flush();
  }
  void flush() {
    stop_if_asked();
    file_.write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

 private:
  OutputFile& file_;
  fmt::memory_buffer buffer_;
};

}  // namespace

namespace {

bool has_controls(std::string_view name) {
  return std::any_of(name.begin(), name.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

// Why an edge list cannot contain the name; null: it can.
const char* fault_of(std::string_view name) {
  if (name.empty()) return "is empty";
  if (starts_comment(name.front())) return "would begin a comment";
  if (name.find_first_of(" \t\r\n") != std::string_view::npos) return "has a blank in it";
  return has_controls(name) ? "has a control character in it" : nullptr;
}

// A UsageError unless the names, written as an edge list, are read again unchanged. Each must be a
// word, and the whole must not look like another format, which depends on the first 64 KiB.
void check_names(const Graph& graph, const std::string& path) {
  constexpr std::size_t kHead = 1 << 16;
  if (graph.labels().kind() != Labels::Kind::names) return;
  std::string head = "# names\n";
  for (Vertex v = 0; v < graph.order(); ++v) {
    const std::string name = graph.label(v);
    if (const char* const fault = has_edges(graph, v) ? fault_of(name) : nullptr)
      throw UsageError(
          fmt::format("{}: an edge list cannot hold the name {}, which {}; write an .apg file",
                      path, show(name), fault));
  }
  for_each_edge(graph, [&](Vertex v, Vertex u, EdgeOffset arc) {
    if (head.size() < kHead)
      head += graph.label(v) + "\t" + graph.label(u) + length_column(graph, arc, '\t') + "\n";
  });
  head.resize(std::min(head.size(), kHead));
  const std::string_view format = format_of_text(head);
  if (graph.size() > 0 && format != "names")
    throw UsageError(fmt::format(
        "{}: as an edge list these names would be read as another format ({}); write an .apg file",
        path, format));
}

}  // namespace

void check_labels(const Graph& graph, const std::string& path) {
  if (path.empty() || graph.labels().kind() != Labels::Kind::names) return;
  for (Vertex at = 0; at < graph.labels().count(); ++at)
    if (const std::string name = graph.labels().of(at); has_controls(name))
      throw UsageError(
          fmt::format("{}: a line cannot hold the name {}, which has a control character in it",
                      path, show(name)));
}

std::vector<std::string> write_edge_list(const Graph& graph, const std::string& path) {
  check_names(graph, path);
  OutputFile file(path);
  Lines lines(file);
  lines.add(
      "# {}\n# Nodes: {} Edges: {}\n",
      graph.is_directed() ? "Directed graph: each arc once" : "Undirected graph: each edge once",
      graph.order(), graph.size());
  for_each_edge(graph, [&](Vertex v, Vertex u, EdgeOffset arc) {
    lines.add("{}\t{}{}\n", graph.label(v), graph.label(u), length_column(graph, arc, '\t'));
  });
  lines.flush();
  file.commit();
  Vertex isolated = 0;
  for (Vertex v = 0; v < graph.order(); ++v) isolated += has_edges(graph, v) ? 0 : 1;
  if (isolated == 0) return {};
  return {
      fmt::format("{} vertices without edges are lost: an edge list cannot hold them", isolated)};
}

std::vector<std::string> write_matrix_market(const Graph& graph, const std::string& path) {
  OutputFile file(path);
  Lines lines(file);
  const LengthUnit& unit = graph.unit();
  const bool whole = unit.decimals <= 0 && unit.halvings <= 0;
  lines.add("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n",
            !graph.has_lengths() ? "pattern"
            : whole              ? "integer"
                                 : "real",
            graph.is_directed() ? "general" : "symmetric", graph.order(), graph.order(),
            graph.size());
  // The lower triangle of a symmetric matrix; a row of a general one has the leaving arcs.
  for_each_edge(graph, [&](Vertex v, Vertex u, EdgeOffset arc) {
    if (!graph.is_directed()) std::swap(v, u);
    lines.add("{} {}{}\n", v + std::uint64_t{1}, u + std::uint64_t{1},
              length_column(graph, arc, ' '));
  });
  lines.flush();
  file.commit();
  if (numbered_from(graph, 1)) return {};
  return {"vertices are numbered 1, 2, …: Matrix Market has no labels of its own"};
}

// ECL's binary form: order, arcs, offsets, targets, all 32-bit signed numbers.
std::vector<std::string> write_egr(const Graph& graph, const std::string& path) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (graph.order() > kMost || graph.arcs() > kMost)
    throw UsageError(path + ": .egr holds at most 2^31 - 1 vertices and arcs");
  OutputFile file(path);
  const std::int32_t sizes[2] = {static_cast<std::int32_t>(graph.order()),
                                 static_cast<std::int32_t>(graph.arcs())};
  file.write(sizes, sizeof sizes);
  const std::vector<std::int32_t> offsets(graph.offsets().begin(), graph.offsets().end());
  file.write(offsets.data(), offsets.size() * sizeof offsets[0]);
  file.write(graph.targets().data(), graph.targets().size_bytes());
  file.commit();
  std::vector<std::string> notices;
  if (!numbered_from(graph, 0))
    notices.emplace_back("vertices are numbered 0, 1, …: .egr has no labels of its own");
  if (graph.has_lengths())
    notices.emplace_back("lengths are not written to .egr: every edge has length 1 there");
  return notices;
}

}  // namespace antipode
