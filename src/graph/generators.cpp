// Generated graphs. All randomness is a hash of (seed, stream, index), and not a state that threads
// would share. Edges are cut into pieces of fixed size. So the same text gives the same graph on
// any machine, with any number of threads.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <numbers>

#include "antipode/error.hpp"
#include "antipode/graph.hpp"
#include "graph/generator_spec.hpp"
#include "graph/hash.hpp"
#include "graph/karate.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"
#include "graph/plane.hpp"

namespace antipode {

namespace {

using EdgeList = std::vector<Edge>;
using EdgeLists = std::vector<EdgeList>;

// The edges, in pieces that can be made in any order, when they are needed.
struct Pieces {
  std::size_t count = 0;
  std::function<EdgeList(std::size_t)> make;
  double edges = 0;  // estimate of the total
};

struct Generated {
  Vertex order = 0;
  Pieces edges;
  std::uint64_t first_label = 0;
};

EdgeLists all_of(const Pieces& pieces) {
  EdgeLists lists(pieces.count);
  std::atomic<std::uint64_t> edges{0};
  in_pieces(pieces.count, 1, static_cast<int>(threads()),
            [&](std::size_t begin, std::size_t end, int) {
              for (std::size_t k = begin; k < end; ++k) {
                stop_if_asked();
                lists[k] = pieces.make(k);
                tell_loading({"generating", 0, edges += lists[k].size()});
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

// Random numbers by index: at(i) depends on seed, stream and i alone.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : key_(mix(seed ^ mix(stream))) {}
  std::uint64_t at(std::uint64_t i) const { return mix(key_ ^ (i * 0xD1342543DE82EF95ull)); }
  Vertex below(Vertex n, std::uint64_t i) const {
    return static_cast<Vertex>(((at(i) >> 32) * n) >> 32);
  }
  double unit(std::uint64_t i) const { return static_cast<double>(at(i) >> 11) * 0x1p-53; }

 private:
  std::uint64_t key_;
};

constexpr std::uint64_t kCheck = 64;  // emits between two checks for an interrupt

// emit(i, list) for i = 0 … count - 1; each makes `each` edges on average.
template <class Emit>
Pieces cut(std::uint64_t count, std::uint64_t piece, Emit emit, double each = 1) {
  return {(count + piece - 1) / piece,
          [=](std::size_t k) {
            EdgeList list;
            const std::uint64_t end = std::min(count, (k + 1) * piece);
            list.reserve(end - k * piece);  // most kinds make one edge per index
            for (std::uint64_t i = k * piece; i < end; ++i) {
              if (i % kCheck == 0) stop_if_asked();
              emit(i, list);
            }
            return list;
          },
          static_cast<double>(count) * each};
}

Pieces one_piece(EdgeList edges) {
  const auto count = static_cast<double>(edges.size());
  return {1, [edges = std::move(edges)](std::size_t) { return edges; }, count};
}

constexpr std::uint64_t kPiece = 1 << 16;

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

// G(n, p): every pair is an edge with probability p; gaps between the edges of a vertex are
// geometric. [Batagelj & Brandes 2005]
Generated er(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 1000);
  const double degree = spec.real("degree", 8, 0, kMaxOrder);
  const double p = spec.real("p", n > 1 ? std::min(1.0, degree / (n - 1.0)) : 0, 0, 1);
  refuse_too_many_edges("er", 0.5 * p * n * (n - 1.0));
  const std::uint64_t seed = spec.seed();
  if (p <= 0) return {n, {}};
  const double scale = p < 1 ? 1 / std::log1p(-p) : 0;
  return {n, cut(
                 n, 1024,
                 [=](std::uint64_t v, EdgeList& out) {
                   const Random random(seed, v + 16);
                   double u = static_cast<double>(v);
                   for (std::uint64_t i = 0;; ++i) {
                     u += 1 + std::floor(std::log1p(-random.unit(i)) * scale);
                     if (u >= n) return;
                     out.push_back({static_cast<Vertex>(v), static_cast<Vertex>(u)});
                   }
                 },
                 0.5 * p * (n - 1.0))};
}

// Preferential attachment: vertex v adds `degree` edges whose far ends are copies of uniformly
// chosen earlier edge ends. Following a chosen end that is itself a copy needs no memory, only the
// hash. [Sanders & Schulz 2016]
Generated ba(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 1000);
  const std::uint64_t degree = spec.integer("degree", 8, 1, kMaxOrder);
  refuse_too_many_edges("ba", static_cast<double>(n) * static_cast<double>(degree));
  const Random random(spec.seed(), 3);
  return {n, cut(n == 0 ? 0 : (n - 1) * degree, kPiece, [=](std::uint64_t i, EdgeList& out) {
            const Vertex v = static_cast<Vertex>(i / degree + 1);
            Vertex u = 0;  // vertex 0 adds no edge, but has one share in every draw
            for (std::uint64_t end = 2 * i + 1;
                 end % 2 == 1;) {  // edge i has ends 2i (its own vertex) and 2i+1 (a copy)
              const std::uint64_t earlier =
                  end / 2 / degree * degree * 2;  // ends brought by earlier vertices
              end = random.at(end) % (earlier + 1);
              if (end == earlier) break;
              if (end % 2 == 0) u = static_cast<Vertex>(end / 2 / degree + 1);
            }
            out.push_back({v, u});
          })};
}

// A ring in which each vertex is joined to the `degree` nearest; a share p of the far ends is moved
// at random. [Watts & Strogatz 1998]
Generated ws(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 1000);
  const std::uint64_t reach = spec.integer("degree", 10, 0, kMaxOrder) / 2;
  const double moved = spec.real("p", 0.1, 0, 1);
  refuse_too_many_edges("ws", static_cast<double>(n) * static_cast<double>(reach));
  const Random coin(spec.seed(), 4), target(spec.seed(), 5);
  return {
      n, cut(n * reach, kPiece, [=](std::uint64_t i, EdgeList& out) {
        const std::uint64_t v = i / reach;
        const Vertex near = static_cast<Vertex>((v + i % reach + 1) % n);
        out.push_back({static_cast<Vertex>(v), coin.unit(i) < moved ? target.below(n, i) : near});
      })};
}

// Points in the unit square, joined if closer than the radius, which follows from the mean degree.
Generated geometric(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 1000);
  const double degree = spec.real("degree", 12, 0, 1e6);
  const double radius = std::min(
      1.5, spec.real("radius", n > 0 ? std::sqrt(degree / (std::numbers::pi * n)) : 0, 0, 1.5));
  refuse_too_many_edges("geometric",
                        0.5 * std::min(1.0, std::numbers::pi * radius * radius) * n * n);
  const Random x(spec.seed(), 6), y(spec.seed(), 7);
  refuse_bytes(std::uint64_t{n} * 16, "the points of gen:geometric");
  const auto side = static_cast<std::uint64_t>(
      std::clamp(1 / std::max(radius, 1e-9), 1.0, 1 + std::sqrt(static_cast<double>(n))));
  const auto cell = [side](double at) {
    return std::min(side - 1, static_cast<std::uint64_t>(at * static_cast<double>(side)));
  };
  std::vector<Vertex> starts(side * side + 1, 0);
  const auto for_each_point = [&](auto visit) {
    for (Vertex v = 0; v < n; ++v) {
      if (v % kPiece == 0) stop_if_asked();
      visit(v, cell(x.unit(v)) * side + cell(y.unit(v)));
    }
  };
  for_each_point([&](Vertex, std::uint64_t at) { ++starts[at]; });
  exclusive_sum(starts, threads_for(starts.size()));
  std::vector<Vertex> members(n), cursor(starts.begin(), starts.end());
  for_each_point([&](Vertex v, std::uint64_t at) { members[cursor[at]++] = v; });
  return {n, cut(
                 n, 4096,
                 [=, starts = std::move(starts), members = std::move(members)](std::uint64_t v,
                                                                               EdgeList& out) {
                   const double px = x.unit(v), py = y.unit(v);
                   const std::uint64_t cx = cell(px), cy = cell(py);
                   for (std::uint64_t i = cx - (cx > 0); i <= std::min(side - 1, cx + 1); ++i)
                     for (std::uint64_t j = cy - (cy > 0); j <= std::min(side - 1, cy + 1); ++j)
                       for (Vertex k = starts[i * side + j]; k < starts[i * side + j + 1]; ++k) {
                         const Vertex u = members[k];
                         const double dx = x.unit(u) - px, dy = y.unit(u) - py;
                         if (u > v && dx * dx + dy * dy < radius * radius)
                           out.push_back({static_cast<Vertex>(v), u});
                       }
                 },
                 0.5 * std::min(1.0, std::numbers::pi * radius * radius) * n)};
}

// Recursive matrix: every bit of an edge's ends falls into one of four quadrants with probability
// 0.57, 0.19, 0.19, 0.05, as in Graph 500. Then vertex numbers are scrambled. One hash decides four
// bits. [Chakrabarti et al. 2004]
Generated rmat(GeneratorSpec& spec) {
  const auto scale = spec.integer("scale", 16, 0, 31);
  const auto factor = spec.integer("edgefactor", 16, 0, 1 << 20);
  const Vertex n = Vertex{1} << scale;
  refuse_too_many_edges("rmat", static_cast<double>(n) * static_cast<double>(factor));
  const Random random(spec.seed(), 8);
  const Random scramble(spec.seed(), 9);
  const Vertex mask = n - 1, odd = static_cast<Vertex>(scramble.at(0)) | 1,
               shift = static_cast<Vertex>(scramble.at(1));
  const auto scrambled = [=](Vertex v) {
    v = (v * odd + shift) & mask;
    v ^= v >> (scale / 2 + 1);
    return (v * odd + shift) & mask;
  };
  constexpr std::uint64_t kFirst = 37355, kSecond = 49807,
                          kThird = 62259;  // 0.57, 0.76, 0.95 of 2^16
  return {n, cut(std::uint64_t{n} * factor, kPiece, [=](std::uint64_t i, EdgeList& out) {
            Vertex from = 0, to = 0;
            for (std::uint64_t level = 0; level < scale; level += 4) {
              std::uint64_t bits = random.at(i * 8 + level / 4);
              for (std::uint64_t k = std::min<std::uint64_t>(4, scale - level); k > 0;
                   --k, bits >>= 16) {
                const std::uint64_t draw = bits & 0xFFFF;
                from = from << 1 | static_cast<Vertex>(draw >= kSecond);
                to = to << 1 |
                     static_cast<Vertex>((draw >= kFirst) ^ (draw >= kSecond) ^ (draw >= kThird));
              }
            }
            out.push_back({scrambled(from), scrambled(to)});
          })};
}

// Rodinia's: every vertex draws half its mean degree of random neighbours.
Generated uniform(GeneratorSpec& spec) {
  const Vertex n = spec.order("n", 4096);
  const std::uint64_t draws = (spec.integer("degree", 6, 0, kMaxOrder) + 1) / 2;
  refuse_too_many_edges("uniform", static_cast<double>(n) * static_cast<double>(draws));
  const Random random(spec.seed(), 10);
  return {n, cut(n * draws, kPiece, [=](std::uint64_t i, EdgeList& out) {
            out.push_back({static_cast<Vertex>(i / draws), random.below(n, i)});
          })};
}

struct Entry {
  Generator description;
  Generated (*make)(GeneratorSpec&);
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
    {{"er", "n, degree or p, seed", "Erdős–Rényi G(n, p)"}, er},
    {{"ba", "n, degree, seed", "Barabási–Albert, degree edges per new vertex"}, ba},
    {{"ws", "n, degree, p, seed", "Watts–Strogatz, a share p of edges moved"}, ws},
    {{"geometric", "n, degree or radius, seed", "random points, near ones joined"}, geometric},
    {{"road", "rows, cols, p, seed", "a grid of which a share p of the edges is kept"}, road},
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

Generated recipe(std::string_view text) {
  GeneratorSpec spec(text);
  for (const Entry& entry : kEntries) {
    if (entry.description.kind != spec.kind()) continue;
    Generated made = entry.make(spec);
    spec.refuse_unread();
    return made;
  }
  std::string known;
  for (const Entry& entry : kEntries) known += " " + std::string(entry.description.kind);
  throw UsageError("gen:" + spec.kind() + ": no such generator; there are" + known);
}

BuiltGraph build(const Generated& made, EdgeLists edges, Direction direction) {
  return build_graph(made.order, std::move(edges), Labels::sequential(made.first_label, made.order),
                     direction);
}

}  // namespace

BuiltGraph generate(std::string_view text, Direction direction) {
  const Generated made = recipe(text);
  refuse_beyond_memory(made.order, static_cast<std::uint64_t>(made.edges.edges));
  return build(made, all_of(made.edges), direction);
}

double expected_edges(std::string_view text) { return recipe(text).edges.edges; }

GeneratedSample sample_generated(std::string_view text) {
  constexpr std::size_t kOneOf = 16, kMost = 64;
  const Generated made = recipe(text);
  refuse_beyond_memory(made.order, static_cast<std::uint64_t>(made.edges.edges));
  const Pieces some = some_of(
      made.edges, made.edges.count < kOneOf ? 1 : std::max(kOneOf, made.edges.count / kMost));
  EdgeLists edges = all_of(some);
  const double share =
      some.count == 0 ? 1 : static_cast<double>(some.count) / static_cast<double>(made.edges.count);
  return {build(made, std::move(edges), Direction::none).graph, share};
}

}  // namespace antipode
