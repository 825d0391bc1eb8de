// Voltage graphs (golf::Part): arithmetic in the group of shifts, connectedness without adjacency,
// and the adjacency itself, which is computed on first use.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "antipode/error.hpp"
#include "antipode/golf.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"

namespace antipode {

// The adjacency of a voltage graph, computed on first use.
struct PartAdjacency {
  golf::Part part;
  std::once_flag once;
  Graph materialized;
};

Graph::Graph(const golf::Part& part)
    : order_(part.order),
      part_(std::make_shared<PartAdjacency>()),
      labels_(std::make_shared<const Labels>(Labels::sequential(0, part.order))) {
  refuse_beyond_memory(part.order, 0);
  for (const Vertex degree : part.degrees()) arcs_ += EdgeOffset{degree} * part.shifts();
  part_->part = part;
}

const golf::Part* Graph::part() const { return part_ ? &part_->part : nullptr; }
Vertex Graph::residues() const { return part_ ? part_->part.size : 0; }

namespace {

// With one cyclic group, the neighbours of a vertex are the sorted steps of its residue, rotated to
// start at the first that wraps around.
Graph graph_of(const golf::Part& part) {
  refuse_beyond_memory(part.order, std::uint64_t{part.edges.size()} * part.shifts());
  const auto steps = part.steps();
  EdgeOffset arcs = 0;
  std::vector<EdgeOffset> before(part.size);  // arcs of residues before this one
  for (Vertex r = 0; r < part.size; ++r) {
    before[r] = arcs;
    arcs += steps[r].size();
  }
  std::vector<EdgeOffset> offsets(std::size_t{part.order} + 1, arcs * part.shifts());
  std::vector<Vertex> targets(arcs * part.shifts());
  const bool is_cyclic = part.group.size() == 1;
  in_chunks(part.order, static_cast<int>(threads()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vertex q = static_cast<Vertex>(v / part.size), r = static_cast<Vertex>(v % part.size),
                   rest = part.shifts() - q;
      offsets[v] = arcs * q + before[r];
      const auto& own = steps[r];
      const auto own_targets = targets.begin() + static_cast<std::ptrdiff_t>(offsets[v]);
      if (is_cyclic) {
        const auto round = std::lower_bound(own.begin(), own.end(), golf::PartStep{rest, 0});
        const auto next = std::transform(
            round, own.end(), own_targets,
            [&](const golf::PartStep& step) { return (step.shift - rest) * part.size + step.to; });
        std::transform(own.begin(), round, next, [&](const golf::PartStep& step) {
          return (step.shift + q) * part.size + step.to;
        });
      } else {
        std::transform(own.begin(), own.end(), own_targets, [&](const golf::PartStep& step) {
          return part.sum(q, step.shift) * part.size + step.to;
        });
        std::sort(own_targets, own_targets + static_cast<std::ptrdiff_t>(own.size()));
      }
    }
  });
  return Graph(std::move(offsets), std::move(targets), Labels::sequential(0, part.order));
}

}  // namespace

const Graph& Graph::materialize() const {
  std::call_once(part_->once, [&] { part_->materialized = graph_of(part_->part); });
  return part_->materialized;
}

}  // namespace antipode

namespace antipode::golf {

// Digit by digit; the last factor of the group is the lowest digit.
Vertex Part::sum(Vertex a, Vertex b) const {
  Vertex result = 0, unit = 1;
  for (auto size_of = group.rbegin(); size_of != group.rend(); ++size_of) {
    result += static_cast<Vertex>((std::uint64_t{a % *size_of} + b % *size_of) % *size_of) * unit;
    a /= *size_of, b /= *size_of, unit *= *size_of;
  }
  return result;
}

Vertex Part::negative(Vertex a) const {
  Vertex result = 0, unit = 1;
  for (auto size_of = group.rbegin(); size_of != group.rend(); ++size_of) {
    result += (*size_of - a % *size_of) % *size_of * unit;
    a /= *size_of, unit *= *size_of;
  }
  return result;
}

// Repeated edges lead to the same neighbour, and so do both ends of an edge that is its own
// inverse. Loops are left out.
std::vector<std::vector<PartStep>> Part::steps() const {
  refuse_bytes(std::uint64_t{size} * 64 + edges.size() * 32, "the steps of this part");
  std::vector<std::vector<PartStep>> result(size);
  for (const PartEdge& e : edges) {
    result[e.from].push_back({e.shift, e.to});
    result[e.to].push_back({negative(e.shift), e.from});
  }
  for (Vertex r = 0; r < size; ++r) {
    auto& steps = result[r];
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    std::erase(steps, PartStep{0, r});
  }
  return result;
}

std::vector<Vertex> Part::degrees() const {
  std::vector<Vertex> result;
  for (const auto& own : steps()) result.push_back(static_cast<Vertex>(own.size()));
  return result;
}

std::vector<Vertex> Part::ends() const {
  std::vector<Vertex> result(size, 0);
  for (const PartEdge& e : edges) ++result[e.from], ++result[e.to];
  return result;
}

Part make_part(Vertex order, Vertex size, std::vector<Vertex> group) {
  if (order == 0 || size == 0 || order % size != 0)
    throw UsageError(fmt::format("a part of {} vertices does not divide {}", size, order));
  if (group.empty()) group = {order / size};
  std::uint64_t shifts = 1;
  for (const Vertex factor : group)
    shifts = std::min<std::uint64_t>(
        shifts * factor, std::uint64_t{kNoVertex} + 1);  // saturates: too large for any order
  if (shifts * size != order)
    throw UsageError(fmt::format("a group of {} elements and a part of {} vertices make {}, not {}",
                                 shifts, size, shifts * size, order));
  return {.order = order, .size = size, .group = std::move(group), .edges = {}};
}

Graph to_graph(const Part& part) { return Graph(part); }

namespace {

// Vectors over the integers modulo a prime, each reduced by those before: the rank of a matrix.
class Basis {
 public:
  explicit Basis(std::uint64_t prime) : prime_(prime) {}
  std::size_t rank() const { return rows_.size(); }

  void add(std::vector<std::uint64_t> row) {
    for (const Row& other : rows_) subtract(row, other.values, row[other.pivot]);
    const auto first =
        std::find_if(row.begin(), row.end(), [](std::uint64_t value) { return value != 0; });
    if (first == row.end()) return;
    const std::uint64_t inverse = power(*first, prime_ - 2);
    for (auto& value : row) value = value * inverse % prime_;
    rows_.push_back({static_cast<std::size_t>(first - row.begin()), std::move(row)});
  }

 private:
  struct Row {
    std::size_t pivot;  // column of its first entry, which is 1
    std::vector<std::uint64_t> values;
  };
  void subtract(std::vector<std::uint64_t>& row, const std::vector<std::uint64_t>& other,
                std::uint64_t times) const {
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = (row[i] + (prime_ - times) * other[i]) % prime_;
  }
  std::uint64_t power(std::uint64_t base, std::uint64_t exponent) const {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % prime_)
      if (exponent % 2 == 1) result = result * base % prime_;
    return result;
  }

  std::uint64_t prime_;  // below 2^32, so products fit 64 bits
  std::vector<Row> rows_;
};

// Elements generate a product of cyclic groups if and only if, for every prime p, they span the
// factors that p divides: their digits there, modulo p, have full rank.
bool generate_all(const std::vector<Vertex>& group, const std::vector<Vertex>& elements) {
  std::vector<Vertex> left = group;
  for (Vertex& factor : left)
    for (Vertex prime = 2; factor > 1;
         prime = std::uint64_t{prime} * prime >= factor ? factor : prime + 1) {
      if (factor % prime != 0) continue;
      Basis basis(prime);
      const auto counts = [&](Vertex size) { return size % prime == 0; };
      for (Vertex element : elements) {
        std::vector<std::uint64_t> digits;
        for (auto size = group.rbegin(); size != group.rend(); element /= *size++)
          if (counts(*size)) digits.push_back(element % *size % prime);
        basis.add(std::move(digits));
      }
      if (basis.rank() <
          static_cast<std::size_t>(std::count_if(group.begin(), group.end(), counts)))
        return false;
      for (Vertex& other : left)
        while (other % prime == 0) other /= prime;
    }
  return true;
}

}  // namespace

// Connected if a walk leads from the first residue to every other, and the shifts of closed walks
// generate the group.
bool is_connected(const Part& part) {
  const auto steps = part.steps();
  std::vector<Vertex> at(part.size, kNoVertex),
      found{0};  // shift by which a residue was reached from the first
  at[0] = 0;
  for (std::size_t next = 0; next < found.size(); ++next)
    for (const PartStep& step : steps[found[next]])
      if (at[step.to] == kNoVertex) {
        at[step.to] = part.sum(at[found[next]], step.shift);
        found.push_back(step.to);
      }
  if (found.size() < part.size) return false;
  std::vector<Vertex> closed;
  for (Vertex r = 0; r < part.size; ++r)
    for (const PartStep& step : steps[r])
      if (const Vertex round = part.sum(part.sum(at[r], step.shift), part.negative(at[step.to]));
          round != 0)
        closed.push_back(round);
  return generate_all(part.group, closed);
}

Part whole_part(const Graph& graph) {
  Part part = make_part(graph.order(), graph.order());
  for (Vertex v = 0; v < graph.order(); ++v)
    for (const Vertex u : graph.neighbors(v))
      if (u > v) push_charged(part.edges, {v, u, 0});
  return part;
}

Fraction average_of(const Part& part, const PartScore& score) {
  const std::uint64_t pairs = std::uint64_t{part.size} * (part.order - 1) - score.unreached;
  return {score.sum, std::max<std::uint64_t>(1, pairs)};
}

}  // namespace antipode::golf
