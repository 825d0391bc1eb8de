// Graphs: immutable adjacency with the labels of the file; what can be computed without an engine
// (components, vertex orders, triangles, fingerprint); and the generators.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace antipode {

using Vertex = std::uint32_t;
using EdgeOffset = std::uint64_t;
using Distance = std::uint32_t;  // a number of edges
using Length = std::uint64_t;    // of an edge or a path: the sum of its edges' lengths
__extension__ typedef unsigned __int128 LengthSum;  // of many distances

inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();
inline constexpr Vertex kMaxOrder = kNoVertex - 1;
inline constexpr Distance kUnreached = std::numeric_limits<Distance>::max();
inline constexpr Length kNoPath = std::numeric_limits<Length>::max();

// The names that a file gives its vertices: consecutive numbers, arbitrary 64-bit numbers, or text.
class Labels {
 public:
  enum class Kind : std::uint32_t { sequential = 0, integers = 1, names = 2 };

  static Labels sequential(std::uint64_t first, Vertex count);
  static Labels integers(std::vector<std::uint64_t> values);
  static Labels names(const std::vector<std::string>& names);
  // Views of memory that `owner` keeps alive; names lie in `text` between consecutive `ends`.
  static Labels integers(std::shared_ptr<const void> owner, std::span<const std::uint64_t> values);
  static Labels names(std::shared_ptr<const void> owner, std::span<const std::uint64_t> ends,
                      std::string_view text);

  Kind kind() const { return kind_; }
  Vertex count() const { return count_; }
  std::uint64_t first() const { return first_; }  // sequential
  // integers: the labels; names: where each name ends in text().
  std::span<const std::uint64_t> values() const { return values_; }
  std::string_view text() const { return text_; }  // names

  std::string of(Vertex v) const;
  std::uint64_t hash(Vertex v) const;
  Vertex find(std::string_view label) const;  // kNoVertex when no vertex has it
  // Numbers by their value; names by their length, then by their bytes. Whatever the order of the
  // vertices is.
  bool is_before(Vertex a, Vertex b) const;

 private:
  std::string_view name(Vertex v) const;

  Kind kind_ = Kind::sequential;
  Vertex count_ = 0;
  std::uint64_t first_ = 0;
  std::span<const std::uint64_t> values_;
  std::string_view text_;
  std::shared_ptr<const void> owner_;
};

// What a length of 1 stands for: factor × 10^-decimals × 2^-halvings in the unit of the file.
// Lengths are whole numbers, so that sums and ties are exact.
struct LengthUnit {
  std::uint64_t factor = 1;        // common to all lengths, and taken out of them
  int decimals = 0, halvings = 0;  // negative: of lengths in the unit of 10^20, say
  friend bool operator==(const LengthUnit&, const LengthUnit&) = default;
};
std::string to_text(Length length, const LengthUnit& unit);  // in the unit of the file, exactly
double to_double(Length length, const LengthUnit& unit);     // nearest, up to rounding
std::string sum_to_text(LengthSum sum, const LengthUnit& unit);
double sum_to_double(LengthSum sum, const LengthUnit& unit);

// A view of compressed sparse rows, for hot loops.
struct Adjacency {
  std::span<const EdgeOffset> offsets;
  std::span<const Vertex> targets;
  std::span<const Length> lengths = {};  // beside the targets; empty: every arc has length 1
  Vertex order() const { return static_cast<Vertex>(offsets.size() - 1); }
  EdgeOffset arcs() const { return targets.size(); }
  Vertex degree(Vertex v) const { return static_cast<Vertex>(offsets[v + 1] - offsets[v]); }
  std::span<const Vertex> neighbors(Vertex v) const {
    return targets.subspan(offsets[v], offsets[v + 1] - offsets[v]);
  }
  Length length(EdgeOffset arc) const { return lengths.empty() ? 1 : lengths[arc]; }
};

namespace golf {
struct Part;  // golf.hpp
}
struct PartAdjacency;

// Immutable simple graph; adjacencies are sorted, without loops or repeats. An undirected graph
// lists each edge at both ends. A directed one has the leaving arcs, and the entering arcs in
// into(). Copies share the arrays. A voltage graph has no adjacency until one is requested.
class Graph {
 public:
  Graph();
  Graph(std::vector<EdgeOffset> offsets, std::vector<Vertex> targets, Labels labels);
  // Views of memory that `owner` keeps alive (a mapped file).
  Graph(std::shared_ptr<const void> owner, std::span<const EdgeOffset> offsets,
        std::span<const Vertex> targets, Labels labels);
  explicit Graph(const golf::Part& part);

  Vertex order() const { return order_; }
  EdgeOffset size() const { return is_directed() ? arcs() : arcs() / 2; }  // edges
  EdgeOffset arcs() const { return arcs_; }
  const Adjacency& adjacency() const {
    return has_adjacency() ? adjacency_ : materialize().adjacency_;
  }
  Vertex degree(Vertex v) const { return adjacency().degree(v); }
  std::span<const Vertex> neighbors(Vertex v) const { return adjacency().neighbors(v); }
  std::span<const EdgeOffset> offsets() const { return adjacency().offsets; }
  std::span<const Vertex> targets() const { return adjacency().targets; }

  bool is_directed() const { return into_ != nullptr; }
  // Adjacency of entering arcs; an undirected graph returns itself. Only the adjacency of the
  // result may be used.
  const Graph& into() const { return into_ ? *into_ : *this; }
  // This adjacency: leaving arcs. Entering arcs without lengths take those of the leaving ones.
  Graph with_entering_arcs(const Graph& into) const;
  Graph transpose() const;  // every arc reversed

  // Without lengths every edge has length 1. No path is as long as kNoPath: the constructors of
  // lengths throw UsageError where n - 1 edges of the largest length would be 2^63 or longer.
  bool has_lengths() const { return lengths_ != nullptr; }
  const LengthUnit& unit() const { return unit_; }
  // One for each target, the same at both ends of an edge. Of a directed graph: of leaving arcs.
  Graph with_lengths(std::vector<Length> lengths, const LengthUnit& unit) const;
  Graph without_lengths() const;

  // The voltage graph that defines this graph; null: none is known. An automorphism maps v to u if
  // they are equal modulo the size of the part.
  const golf::Part* part() const;
  Vertex residues() const;  // the size of the part; 0: there is none
  // The same graph as adjacency alone, without a part.
  Graph materialized() const { return has_adjacency() ? *this : materialize(); }

  // The position of v in the graph as read. Extraction and relabelling keep it, so that answers do
  // not depend on them.
  Vertex origin(Vertex v) const { return origin_ ? (*origin_)[v] : v; }
  bool is_derived() const { return origin_ != nullptr; }
  const Labels& labels() const { return *labels_; }
  std::string label(Vertex v) const { return labels_->of(origin(v)); }
  Vertex find(std::string_view label) const;

  // A derived graph with this adjacency, whose vertex v was vertex `old_of_new[v]` here.
  // `lengths`: beside the targets, if this graph has lengths.
  Graph with_adjacency(std::vector<EdgeOffset> offsets, std::vector<Vertex> targets,
                       const std::vector<Vertex>& old_of_new,
                       std::vector<Length> lengths = {}) const;

 private:
  bool has_adjacency() const { return adjacency_.offsets.data() != nullptr; }
  const Graph& materialize() const;  // of a part

  Vertex order_ = 0;
  EdgeOffset arcs_ = 0;
  std::shared_ptr<const void> owner_;
  Adjacency adjacency_;  // null while the part alone defines the graph
  std::shared_ptr<PartAdjacency> part_;
  std::shared_ptr<const Labels> labels_;
  std::shared_ptr<const std::vector<Vertex>> origin_;
  std::shared_ptr<const Graph> into_;
  std::shared_ptr<const std::vector<Length>> lengths_;
  LengthUnit unit_;
};

struct Edge {
  Vertex from, to;
};

// An edge of length 0, if there is one.
std::optional<Edge> zero_edge(const Graph& graph);

std::vector<Edge> arc_list(const Graph& graph);  // vertex by vertex; an undirected edge is two arcs

struct BuiltGraph {
  Graph graph;
  std::uint64_t loops = 0;        // edges from a vertex to itself, dropped
  std::uint64_t repeats = 0;      // of edges given before (without direction: in either), dropped
  std::uint64_t unequal = 0;      // edges given more than once, with different lengths
  bool is_directed_kind = false;  // generated by a spec that says "directed"
};

enum class Direction { none, forward };  // forward: edges are arcs as given

// Builds a graph in parallel from edges in any order. Every vertex must be below `order`.
BuiltGraph build_graph(Vertex order, std::vector<std::vector<Edge>> edges, Labels labels,
                       Direction direction = Direction::none);

// The same with lengths, one for each edge. Of several edges between the same vertices the shortest
// stays.
BuiltGraph build_graph(Vertex order, std::vector<std::vector<Edge>> edges,
                       std::vector<std::vector<Length>> lengths, const LengthUnit& unit,
                       Labels labels, Direction direction = Direction::none);

struct Components {
  std::vector<Vertex> of;         // component of each vertex; numbered by their smallest vertex
  std::vector<Vertex> orders;     // vertices in each
  std::vector<EdgeOffset> sizes;  // edges in each
  Vertex most = kNoVertex;        // largest()
  Vertex count() const { return static_cast<Vertex>(orders.size()); }
  // Most vertices; of equal ones that with the first label, so that the order of the vertices makes
  // no difference. kNoVertex when there is none.
  Vertex largest() const { return most; }
};

Components components(const Graph& graph);  // of a directed graph: as if its arcs went both ways
// Every vertex reaches every other: along the arcs, where edges have a direction.
bool is_strongly_connected(const Graph& graph);
// Of a directed graph: sets of vertices that all reach each other. No arc goes to a component of
// larger number. The size counts arcs inside. Of an undirected graph: components().
Components strong_components(const Graph& graph);
Graph component_subgraph(const Graph& graph, const Components& components, Vertex which);

// Extracts components, strong ones too, each in time that depends on its own size.
class ComponentCutter {
 public:
  ComponentCutter(const Graph& graph, const Components& components);
  std::span<const Vertex> members(Vertex which) const {
    return std::span(members_).subspan(begin_[which], begin_[which + 1] - begin_[which]);
  }
  Graph subgraph(Vertex which) const;

 private:
  Graph cut(const Adjacency& rows, std::span<const Vertex> members) const;

  const Graph& graph_;
  std::vector<Vertex> members_;  // component by component
  std::vector<std::size_t> begin_;
  std::vector<Vertex> place_;  // of each vertex in its component
};

// The graph without its pendant trees. Each remaining vertex stands for itself and for its pendant
// tree. Counts are of ordered pairs of different vertices, and exact below 2^53.
struct Core {
  Graph graph;
  // Of each vertex of the core:
  std::vector<Vertex> old;     // its number in the whole graph
  std::vector<double> weight;  // number of vertices it stands for
  // Of each vertex of the whole graph:
  std::vector<double> through;  // pairs all of whose paths pass it because of pendant trees
  std::vector<double> across;   // pairs whose paths all use the edge to its parent
  std::vector<Vertex> parent;   // its parent in the pendant tree; kNoVertex in the core
};
Core core_of(const Graph& graph);
Core without_folding(const Graph& graph);  // the whole graph is the core

// An order of the vertices that places neighbours close in memory. Answers do not depend on it.
enum class VertexOrder { as_read, degree, bfs, rcm };
Graph reorder(const Graph& graph, VertexOrder order);
VertexOrder vertex_order(std::string_view name);  // UsageError names the choices

struct Triangles {
  std::uint64_t total = 0;
  std::vector<std::uint64_t> at;  // triangles through each vertex
};
// step > 1: only triangles whose lowest corner is one of every `step` vertices, for an estimate.
Triangles triangles(const Graph& graph, Vertex step = 1);

// Identifies a labelled graph: equal for the same labels, edges, directions and lengths in any
// order, unit or format.
struct Fingerprint {
  Vertex order = 0;
  EdgeOffset size = 0;
  std::uint64_t hash = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};
Fingerprint fingerprint(const Graph& graph);

// A graph from "kind?key=value&key=value". The same text gives the same graph on any machine with
// any number of threads.
struct Generator {
  std::string_view kind, parameters, summary;
};
std::span<const Generator> generators();
BuiltGraph generate(std::string_view spec, Direction direction = Direction::none);
// All vertices, and an evenly spread share of the edges: to estimate the cost of the whole graph.
struct GeneratedSample {
  Graph graph;
  double share = 1;
};
GeneratedSample sample_generated(std::string_view spec);
double expected_edges(std::string_view spec);  // an estimate

// Threads for loading and building. 0 means OMP_NUM_THREADS if it is set, else one per processor
// that this process may use. Many more than there are processors are reduced to their number.
// Engines have an option of their own.
void set_threads(unsigned threads);
unsigned threads();

// Bytes that this process may use while a graph is read, generated, built and searched. 0: what the
// machine and its container allow. A request for more is an OutOfMemory before it is allocated.
void set_memory_limit(std::uint64_t bytes);

// Learns the progress while a graph is read, generated or built, and is asked whether to stop,
// which ends in Interrupted. Called from any thread.
struct LoadProgress {
  const char* phase = "reading";       // generating, building, writing, …
  std::uint64_t bytes = 0, edges = 0;  // so far; 0: unknown
  double share = 1;                    // done of the phase; 1: all, or it is not known
  bool is_loading = true;              // not of what is done with the graph
};
class LoadObserver {
 public:
  virtual ~LoadObserver() = default;
  virtual bool stop() { return false; }
  virtual void progress(const LoadProgress&) {}
};
void set_load_observer(LoadObserver* observer);  // null: none

}  // namespace antipode
