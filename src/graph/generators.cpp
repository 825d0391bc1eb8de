// Generated graphs. All randomness is a hash of (seed, stream, index), and not a state that threads
// would share. Edges are cut into pieces of fixed size. So the same text gives the same graph on
// any machine, with any number of threads.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>

#include "antipode/error.hpp"
#include "antipode/graph.hpp"
#include "graph/generator_families.hpp"
#include "graph/hash.hpp"
#include "graph/karate.hpp"
#include "graph/limits.hpp"
#include "graph/nearest.hpp"
#include "graph/parallel.hpp"
#include "graph/plane.hpp"

namespace antipode {

namespace families {

namespace {

Generated path(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 100);
  return {n, cut(n == 0 ? 0 : n - 1, kPiece, [](std::uint64_t i, EdgeList& out) {
            out.push_back({static_cast<Vertex>(i), static_cast<Vertex>(i + 1)});
          })};
}

Generated cycle(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 100);
  return {n, cut(n, kPiece, [n](std::uint64_t i, EdgeList& out) {
            out.push_back({static_cast<Vertex>(i), static_cast<Vertex>((i + 1) % n)});
          })};
}

Generated star(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 100);
  return {n, cut(n == 0 ? 0 : n - 1, kPiece, [](std::uint64_t i, EdgeList& out) {
            out.push_back({0, static_cast<Vertex>(i + 1)});
          })};
}

Generated complete(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 100);
  refuse_too_many_edges("complete", 0.5 * n * (n - 1.0));
  return {n, cut(
                 n, 64,
                 [n](std::uint64_t v, EdgeList& out) {
                   for (Vertex u = static_cast<Vertex>(v) + 1; u < n; ++u)
                     out.push_back({static_cast<Vertex>(v), u});
                 },
                 0.5 * n)};
}

struct Lattice {
  Vertex rows, cols;
  Vertex order() const { return rows * cols; }
};

Lattice lattice(GeneratorSpec& spec) {
  const std::uint64_t side =
      spec.has("n") ? static_cast<std::uint64_t>(std::sqrt(static_cast<double>(spec.order("n", 0))))
                    : 100;
  const Lattice result{spec.order("rows", static_cast<Vertex>(side)),
                       spec.order("cols", static_cast<Vertex>(side))};
  if (std::uint64_t{result.rows} * result.cols > kMaxOrder)
    throw UsageError("gen:" + spec.kind() + ": too many vertices");
  return result;
}

// Each vertex with its right and lower neighbour if keep(edge index).
template <class Keep>
Pieces lattice_edges(Lattice shape, Keep keep) {
  return cut(
      shape.order(), kPiece,
      [=](std::uint64_t i, EdgeList& out) {
        const Vertex v = static_cast<Vertex>(i);
        if ((v + 1) % shape.cols != 0 && keep(2 * i)) out.push_back({v, v + 1});
        if (v < shape.order() - shape.cols && keep(2 * i + 1)) out.push_back({v, v + shape.cols});
      },
      2);
}

Generated grid(GeneratorSpec& spec) {
  const Lattice shape = lattice(spec);
  return {shape.order(), lattice_edges(shape, [](std::uint64_t) { return true; })};
}

Generated road(GeneratorSpec& spec) {
  const Lattice shape = lattice(spec);
  const double kept = spec.real("p", 0.65, 0, 1);
  const Random random(spec.seed(), 1);
  return {shape.order(),
          lattice_edges(shape, [=](std::uint64_t edge) { return random.unit(edge) < kept; })};
}

Generated torus(GeneratorSpec& spec) {
  const Lattice shape = lattice(spec);
  return {shape.order(),
          cut(
              shape.order(), kPiece,
              [=](std::uint64_t i, EdgeList& out) {
                const Vertex v = static_cast<Vertex>(i), last = shape.order() - shape.cols;
                out.push_back({v, (v + 1) % shape.cols != 0 ? v + 1 : v + 1 - shape.cols});
                out.push_back({v, v < last ? v + shape.cols : v - last});
              },
              2)};
}

Generated tree(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 127);
  const std::uint64_t children = spec.integer("degree", 2, 0, kMaxOrder);
  const Random random(spec.seed(), 2);
  return {n, cut(n == 0 ? 0 : n - 1, kPiece, [=](std::uint64_t i, EdgeList& out) {
            const Vertex parent = children == 0 ? random.below(static_cast<Vertex>(i + 1), i)
                                                : static_cast<Vertex>(i / children);
            out.push_back({parent, static_cast<Vertex>(i + 1)});
          })};
}

Generated hypercube(GeneratorSpec& spec) {
  const auto dimension = spec.integer("scale", 10, 0, 31);
  const Vertex n = Vertex{1} << dimension;
  return {n, cut(
                 n, kPiece,
                 [=](std::uint64_t v, EdgeList& out) {
                   for (std::uint64_t bit = 0; bit < dimension; ++bit)
                     if ((v >> bit & 1) == 0)
                       out.push_back({static_cast<Vertex>(v),
                                      static_cast<Vertex>(v | std::uint64_t{1} << bit)});
                 },
                 0.5 * static_cast<double>(dimension))};
}

Generated petersen(GeneratorSpec&) {
  EdgeList edges;
  for (Vertex i = 0; i < 5; ++i) {
    edges.push_back({i, (i + 1) % 5});
    edges.push_back({i, i + 5});
    edges.push_back({5 + i, 5 + (i + 2) % 5});
  }
  return {10, one_piece(std::move(edges))};
}

Generated plane(GeneratorSpec& spec) {
  const Vertex degree = static_cast<Vertex>(spec.integer("degree", 8, 3, kMaxPlaneDegree)),
               n = spec.order("n", plane_order(degree));
  if (!has_plane(n, degree))
    throw UsageError(
        fmt::format("gen:plane: degree - 1 = {} must be the power of a prime, and n from {} to {}",
                    degree - 1, plane_order(degree) - 2 * degree, plane_order(degree)));
  return {n, {1, [=](std::size_t) { return plane_edges(n, degree); }, 0.5 * n * degree}};
}

Generated karate(GeneratorSpec&) {
  EdgeList edges;
  for (const auto& pair : kKarateFriends)
    edges.push_back({pair[0] - Vertex{1}, pair[1] - Vertex{1}});
  return {34, one_piece(std::move(edges)), 1};
}

}  // namespace

}  // namespace families

namespace {

using namespace families;
using EdgeLists = std::vector<EdgeList>;

// Where the edges of a directed graph go. Families that list each edge from the smaller vertex to
// the larger one, or the other way, would have no cycles.
enum class Turn {
  none,    // as generated
  random,  // either way, by a hash of the seed and the ends
  street,  // the same for one edge in four; both ways for the others
};

struct Entry {
  Generator description;
  Generated (*make)(GeneratorSpec&);
  Turn turn = Turn::none;
};

constexpr Entry kEntries[] = {
    {{"path", "n", "a path"}, path},
    {{"star", "n", "one hub and its leaves"}, star},
    {{"cycle", "n", "a ring"}, cycle},
    {{"complete", "n", "every pair joined"}, complete},
    {{"grid", "rows, cols", "a rectangular grid"}, grid},
    {{"torus", "rows, cols", "a grid that wraps around"}, torus},
    {{"tree", "n, degree, seed", "children per vertex = degree; degree=0: random parents"}, tree},
    {{"hypercube", "scale", "2^scale corners"}, hypercube},
    {{"petersen", "", "Petersen's graph"}, petersen},
    {{"plane", "degree, n",
      "points and lines of a projective plane of order degree - 1, some left out"},
     plane},
    {{"karate", "", "Zachary's karate club"}, karate},
    {{"er", "n, degree or p, seed", "Erdős–Rényi G(n, p)"}, er, Turn::random},
    {{"ba", "n, degree, seed", "Barabási–Albert, degree edges per new vertex"}, ba, Turn::random},
    {{"ws", "n, degree, p, seed", "Watts–Strogatz, a share p of edges moved"}, ws, Turn::random},
    {{"geometric", "n, degree or radius, seed", "random points, near ones joined"},
     geometric,
     Turn::random},
    {{"road", "rows, cols, p, seed", "a grid of which a share p of the edges is kept"},
     road,
     Turn::street},
    {{"rmat", "scale, edgefactor, seed", "recursive matrix (Graph 500's parameters)"}, rmat},
    {{"uniform", "n, degree, seed", "Rodinia's random graph"}, uniform},
};

}  // namespace

std::span<const Generator> generators() {
  static const auto list = [] {
    std::array<Generator, std::size(kEntries)> result;
    std::transform(std::begin(kEntries), std::end(kEntries), result.begin(),
                   [](const Entry& e) { return e.description; });
    return result;
  }();
  return list;
}

namespace {

struct Recipe : Generated {
  std::optional<LengthRange> lengths;
  bool directed = false;
  Turn turn = Turn::none;
  std::uint64_t seed = 1;
};

Recipe recipe(std::string_view text) {
  GeneratorSpec spec(text);
  for (const Entry& entry : kEntries) {
    if (entry.description.kind != spec.kind()) continue;
    Recipe made{entry.make(spec), spec.lengths(), spec.directed(), entry.turn};
    if (made.lengths || (made.directed && made.turn != Turn::none)) made.seed = spec.seed();
    spec.refuse_unread();
    return made;
  }
  std::string known;
  std::vector<std::string_view> kinds;
  for (const Entry& entry : kEntries) {
    kinds.push_back(entry.description.kind);
    known += " " + std::string(kinds.back());
  }
  throw UsageError("gen:" + spec.kind() + ": no such generator; there are" + known +
                   did_you_mean(spec.kind(), kinds));
}

EdgeLists all_of(const Pieces& pieces) {
  EdgeLists lists(pieces.count);
  std::atomic<std::uint64_t> edges{0};
  in_pieces(pieces.count, 1, static_cast<int>(threads()),
            [&](std::size_t begin, std::size_t end, int) {
              for (std::size_t k = begin; k < end; ++k) {
                stop_if_asked();
                lists[k] = pieces.make(k);
                const std::uint64_t made = edges += lists[k].size();
                tell_loading({.phase = "generating",
                              .edges = made,
                              .share = static_cast<double>(made) / std::max(pieces.edges, 1.0)});
              }
            });
  return lists;
}

// One in `step` of the pieces.
Pieces some_of(const Pieces& pieces, std::size_t step) {
  return {(pieces.count + step - 1) / step,
          [&pieces, step](std::size_t k) { return pieces.make(k * step); },
          pieces.edges / static_cast<double>(step)};
}

// A hash of the seed and the ends of an edge, or of an arc.
Graph with_lengths(const Graph& graph, const LengthRange& range, std::uint64_t seed) {
  const Adjacency adjacency = graph.adjacency();
  refuse_bytes(adjacency.arcs() * sizeof(Length), "lengths");
  std::vector<Length> lengths(adjacency.arcs());
  const Length choices = range.most - range.least + 1;
  in_pieces(graph.order(), 4096, threads_for(adjacency.arcs()),
            [&](std::size_t first, std::size_t last, int) {
              for (Vertex v = static_cast<Vertex>(first); v < last; ++v)
                for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc) {
                  const Vertex u = adjacency.targets[arc];
                  const bool turned = !graph.is_directed() && u < v;
                  const std::uint64_t ends = std::uint64_t{turned ? u : v} << 32 | (turned ? v : u);
                  lengths[arc] = range.least + mix(mix(ends) ^ mix(~seed)) % choices;
                }
            });
  return graph.with_lengths(std::move(lengths), {});
}

// Arcs from edges. A hash of the seed and the ends decides, so that parallel edges are turned
// alike.
void turn(EdgeLists& lists, Turn how, std::uint64_t seed) {
  constexpr std::uint64_t kStream = 0x7475726E;
  in_pieces(lists.size(), 1, static_cast<int>(threads()),
            [&](std::size_t begin, std::size_t end, int) {
              for (std::size_t k = begin; k < end; ++k) {
                stop_if_asked();
                const std::size_t count = lists[k].size();
                for (std::size_t i = 0; i < count; ++i) {
                  Edge& e = lists[k][i];
                  const std::uint64_t ends =
                      std::uint64_t{std::min(e.from, e.to)} << 32 | std::max(e.from, e.to);
                  const std::uint64_t hash = mix(mix(ends) ^ mix(seed ^ mix(kStream)));
                  const bool both = how == Turn::street && hash % 4 != 0;
                  if (hash >> 63 != 0) std::swap(e.from, e.to);
                  if (both) lists[k].push_back({e.to, e.from});
                }
              }
            });
}

BuiltGraph build(const Recipe& made, EdgeLists edges, Direction direction) {
  if (made.directed && made.turn != Turn::none && direction == Direction::forward)
    turn(edges, made.turn, made.seed);
  BuiltGraph built = build_graph(made.order, std::move(edges),
                                 Labels::sequential(made.first_label, made.order), direction);
  built.is_directed_kind = made.directed;
  if (made.lengths) built.graph = with_lengths(built.graph, *made.lengths, made.seed);
  return built;
}

}  // namespace

BuiltGraph generate(std::string_view text, Direction direction) {
  const Recipe made = recipe(text);
  refuse_beyond_memory(made.order, static_cast<std::uint64_t>(made.edges.edges));
  return build(made, all_of(made.edges), direction);
}

double expected_edges(std::string_view text) { return recipe(text).edges.edges; }

GeneratedSample sample_generated(std::string_view text) {
  constexpr std::size_t kOneOf = 16, kMost = 64;
  const Recipe made = recipe(text);
  refuse_beyond_memory(made.order, static_cast<std::uint64_t>(made.edges.edges));
  const Pieces some = some_of(
      made.edges, made.edges.count < kOneOf ? 1 : std::max(kOneOf, made.edges.count / kMost));
  EdgeLists edges = all_of(some);
  const double share =
      some.count == 0 ? 1 : static_cast<double>(some.count) / static_cast<double>(made.edges.count);
  return {build(made, std::move(edges), Direction::none).graph, share};
}

}  // namespace antipode
