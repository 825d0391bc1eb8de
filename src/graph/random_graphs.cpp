// Families of random graphs: G(n, p), preferential attachment, small worlds, points in a square,
// recursive matrix, and Rodinia's.
#include <cmath>
#include <numbers>

#include "graph/generator_families.hpp"
#include "graph/parallel.hpp"

namespace antipode::families {

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

}  // namespace antipode::families
