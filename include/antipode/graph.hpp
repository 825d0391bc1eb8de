// Graphs: an immutable adjacency structure with the file's own labels, and what can be said of it
// without a search engine (components, orders, triangles, fingerprint), and the generators.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace antipode {

using Vertex = std::uint32_t;
using EdgeOffset = std::uint64_t;
using Distance = std::uint32_t;

inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();
inline constexpr Vertex kMaxOrder = kNoVertex - 1;
inline constexpr Distance kUnreached = std::numeric_limits<Distance>::max();

// The names a file gave its vertices: consecutive numbers, arbitrary 64-bit numbers, or text.
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
  std::span<const std::uint64_t> values() const {
    return values_;
  }                                                // integers: the labels; names: ends in text()
  std::string_view text() const { return text_; }  // names

  std::string of(Vertex v) const;
  std::uint64_t hash(Vertex v) const;
  Vertex find(std::string_view label) const;  // kNoVertex when no vertex has it

 private:
  std::string_view name(Vertex v) const;

  Kind kind_ = Kind::sequential;
  Vertex count_ = 0;
  std::uint64_t first_ = 0;
  std::span<const std::uint64_t> values_;
  std::string_view text_;
  std::shared_ptr<const void> owner_;
};

// The neighbours of every vertex, one row after the other. A view: for loops that are in a hurry.
struct Adjacency {
  std::span<const EdgeOffset> offsets;
  std::span<const Vertex> targets;
  Vertex order() const { return static_cast<Vertex>(offsets.size() - 1); }
  EdgeOffset arcs() const { return targets.size(); }
  Vertex degree(Vertex v) const { return static_cast<Vertex>(offsets[v + 1] - offsets[v]); }
  std::span<const Vertex> neighbors(Vertex v) const {
    return targets.subspan(offsets[v], offsets[v + 1] - offsets[v]);
  }
};

namespace golf {
struct Part;  // golf.hpp
}
struct PartAdjacency;

// Simple graph as compressed rows: the neighbours of v are sorted, without v, without repeats. In
// an undirected one every edge stands in both rows; a directed one has the arcs that leave v there,
// and knows those that enter it, too. Copies share the arrays. One that is made of a part has no
// rows until somebody asks for them.
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
  // The rows of arcs that enter: an undirected graph is its own. Nothing else of it may be used.
  const Graph& into() const { return into_ ? *into_ : *this; }
  Graph with_entering_arcs(const Graph& into) const;  // these rows leave, those enter
  Graph transpose() const;                            // every arc turned round

  // What it is made of: vertices of the same remainder by the part's size are alike, some
  // automorphism takes one to the other. Null: nothing is known.
  const golf::Part* part() const;
  Vertex residues() const;  // the part's size, 0 without one
  Graph materialized() const {
    return has_adjacency() ? *this : materialize();
  }  // the same rows, and nothing known of a part

  // Where v stood in the graph as it was read: extraction and relabelling keep it, so that answers
  // can hide them.
  Vertex origin(Vertex v) const { return origin_ ? (*origin_)[v] : v; }
  bool is_derived() const { return origin_ != nullptr; }
  const Labels& labels() const { return *labels_; }
  std::string label(Vertex v) const { return labels_->of(origin(v)); }
  Vertex find(std::string_view label) const;

  // The graph with other rows whose vertex v was vertex `old_of_new[v]` here.
  Graph with_adjacency(std::vector<EdgeOffset> offsets, std::vector<Vertex> targets,
                       const std::vector<Vertex>& old_of_new) const;

 private:
  bool has_adjacency() const { return adjacency_.offsets.data() != nullptr; }
  const Graph& materialize() const;  // of a part

  Vertex order_ = 0;
  EdgeOffset arcs_ = 0;
  std::shared_ptr<const void> owner_;
  Adjacency adjacency_;  // none as long as a part tells all
  std::shared_ptr<PartAdjacency> part_;
  std::shared_ptr<const Labels> labels_;
  std::shared_ptr<const std::vector<Vertex>> origin_;
  std::shared_ptr<const Graph> into_;
};

struct Edge {
  Vertex from, to;
};

std::vector<Edge> arc_list(
    const Graph& graph);  // row after row: an undirected edge stands there twice

struct BuiltGraph {
  Graph graph;
  std::uint64_t loops = 0;  // edges from a vertex to itself, dropped
  std::uint64_t repeats =
      0;  // edges given more than once (where they have no direction: in either), kept once
};

enum class Direction { none, forward };  // forward: edges are arcs, as they are given

// From edges in any order to a graph, in parallel. Every id must be below `order`. The edges are
// used up.
BuiltGraph build_graph(Vertex order, std::vector<std::vector<Edge>> edges, Labels labels,
                       Direction direction = Direction::none);

struct Components {
  std::vector<Vertex> of;         // component of each vertex; numbered by their smallest vertex
  std::vector<Vertex> orders;     // vertices in each
  std::vector<EdgeOffset> sizes;  // edges in each
  Vertex count() const { return static_cast<Vertex>(orders.size()); }
  Vertex largest()
      const;  // most vertices; on ties the one numbered first; kNoVertex when there is none
};

Components components(const Graph& graph);  // of a directed graph: as if its arcs went both ways
Graph component_subgraph(const Graph& graph, const Components& components, Vertex which);

// Takes out several components, each in time that depends on its own size.
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
  std::vector<Vertex> place_;  // of each vertex within its component
};

// The graph without the trees that hang on it: every vertex left stands for itself and for what
// hung on it. Counts are of ordered pairs of different vertices, and exact as long as they are
// below 2^53.
struct Core {
  Graph graph;
  std::vector<Vertex> old;     // of each vertex of the core: what it was
  std::vector<double> weight;  // of each vertex of the core: how many it stands for
  std::vector<double>
      through;  // of each vertex of the whole: pairs all of whose paths pass it because of trees
  std::vector<double> across;  // and the edge to its parent, where it has one
  std::vector<Vertex>
      parent;  // of each vertex of the whole: what it hung on; kNoVertex in the core
};
Core core_of(const Graph& graph);
Core without_folding(const Graph& graph);  // all of it is core

// An order of the vertices that brings neighbours together in memory. No answer shows it.
enum class VertexOrder { as_read, degree, bfs, rcm };
Graph reorder(const Graph& graph, VertexOrder order);
VertexOrder vertex_order(std::string_view name);  // UsageError names the choices

struct Triangles {
  std::uint64_t total = 0;
  std::vector<std::uint64_t> at;  // triangles through each vertex
};
Triangles triangles(
    const Graph& graph,
    Vertex step = 1);  // step > 1: only those whose lowest corner is every so-manieth vertex

// Identifies a labelled graph however it was stored: equal for the same labels and edges in any
// order or format.
struct Fingerprint {
  Vertex order = 0;
  EdgeOffset size = 0;
  std::uint64_t hash = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};
Fingerprint fingerprint(const Graph& graph);

// A graph from "kind?key=value&key=value"; the same text gives the same graph on any machine and
// number of threads.
struct Generator {
  std::string_view kind, parameters, summary;
};
std::span<const Generator> generators();
BuiltGraph generate(std::string_view spec, Direction direction = Direction::none);
// All of its vertices, and a share of its edges from all over it: to know what the whole would
// cost.
struct GeneratedSample {
  Graph graph;
  double share = 1;
};
GeneratedSample sample_generated(std::string_view spec);
double expected_edges(std::string_view spec);  // about

// Threads used for loading and building; 0 means OMP_NUM_THREADS where it is set, else one for each
// processor that this process may use. More than a few times the processors there are is cut down.
// Engines take their own number.
void set_threads(unsigned threads);
unsigned threads();

// Bytes this process may have while a graph is read, generated, built and searched; 0 means what
// the machine and its container allow. What would take more is a DeviceError before it is
// allocated.
void set_memory_limit(std::uint64_t bytes);

// Told how far a graph is read, generated or built, and asked whether to go on: if not, that ends
// with Interrupted. Called from any thread.
struct LoadProgress {
  const char* phase = "reading";       // reading, generating or building
  std::uint64_t bytes = 0, edges = 0;  // so far; 0: not known
};
class LoadObserver {
 public:
  virtual ~LoadObserver() = default;
  virtual bool stop() { return false; }
  virtual void progress(const LoadProgress&) {}
};
void set_load_observer(LoadObserver* observer);  // null: none

}  // namespace antipode
