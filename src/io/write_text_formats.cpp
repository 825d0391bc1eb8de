// Writers of the exchange formats: edge list, Matrix Market, ECL.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

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

template <class Visit>
void for_each_edge(const Graph& graph, Visit visit) {
  for (Vertex v = 0; v < graph.order(); ++v)
    for (const Vertex u : graph.neighbors(v))
      if (v < u) visit(v, u);
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
    if (const char* const fault = graph.degree(v) == 0 ? nullptr : fault_of(name))
      throw UsageError(
          fmt::format("{}: an edge list cannot hold the name {}, which {}; write an .apg file",
                      path, show(name), fault));
    for (const Vertex u : graph.neighbors(v))
      if (v < u && head.size() < kHead) head += name + "\t" + graph.label(u) + "\n";
  }
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
  lines.add("# Undirected graph: each edge once\n# Nodes: {} Edges: {}\n", graph.order(),
            graph.size());
  for_each_edge(graph,
                [&](Vertex v, Vertex u) { lines.add("{}\t{}\n", graph.label(v), graph.label(u)); });
  lines.flush();
  file.commit();
  Vertex isolated = 0;
  for (Vertex v = 0; v < graph.order(); ++v) isolated += graph.degree(v) == 0 ? 1 : 0;
  if (isolated == 0) return {};
  return {
      fmt::format("{} vertices without edges are lost: an edge list cannot hold them", isolated)};
}

std::vector<std::string> write_matrix_market(const Graph& graph, const std::string& path) {
  OutputFile file(path);
  Lines lines(file);
  lines.add("%%MatrixMarket matrix coordinate pattern symmetric\n{} {} {}\n", graph.order(),
            graph.order(), graph.size());
  for_each_edge(graph, [&](Vertex v, Vertex u) {
    lines.add("{} {}\n", u + std::uint64_t{1}, v + std::uint64_t{1});
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
  if (numbered_from(graph, 0)) return {};
  return {"vertices are numbered 0, 1, …: .egr has no labels of its own"};
}

}  // namespace antipode
