#include "engine/host/path_passes.hpp"

#include <algorithm>
#include <limits>
#include <queue>

#include "graph/instruction_sets.hpp"

namespace antipode::host {

namespace {

constexpr double kMostPaths = 0x1p600;  // times the paths of an arc they are still in range
constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr std::size_t kLanes = PathPasses::kLanes;
using Lanes = PathPasses::Lanes;
using Arc = PathHierarchy::Arc;

struct Lines {
  Lanes* distances;
  Lanes* paths;
  Lanes* flow;
};

// The lanes of a line as one value. No function passes one, since how that is done differs between
// instruction sets.
typedef double Wide __attribute__((vector_size(kLanes * sizeof(double)), may_alias));
#define ANTIPODE_LANES(lanes) reinterpret_cast<const Wide&>(lanes)
#define ANTIPODE_LANES_TO(lanes) reinterpret_cast<Wide&>(lanes)

// Paths to a vertex that end with one of these arcs, or that it has already.
ANTIPODE_WIDE void join_paths(std::span<const Arc> arcs, const Lanes* distances, const Lanes* paths,
                              Lanes& distance, Lanes& number) {
  const Wide zero = {};
  Wide least = ANTIPODE_LANES(distance), count = ANTIPODE_LANES(number);
  for (const Arc& arc : arcs) {
    const Wide through = ANTIPODE_LANES(distances[arc.place]) + arc.length,
               more = ANTIPODE_LANES(paths[arc.place]) * arc.paths;
    count = (through < least ? zero : count) + (through > least ? zero : more);
    least = through < least ? through : least;
  }
  ANTIPODE_LANES_TO(distance) = least;
  ANTIPODE_LANES_TO(number) = count;
}

// The way up along an arc.
ANTIPODE_WIDE void lift_paths(const Arc& arc, const Lanes& from, const Lanes& ways, Lanes& distance,
                              Lanes& number) {
  const Wide zero = {}, through = ANTIPODE_LANES(from) + arc.length,
             more = ANTIPODE_LANES(ways) * arc.paths, least = ANTIPODE_LANES(distance),
             count = ANTIPODE_LANES(number);
  ANTIPODE_LANES_TO(number) = (through < least ? zero : count) + (through > least ? zero : more);
  ANTIPODE_LANES_TO(distance) = through < least ? through : least;
}

// A flow for each path to the end of these arcs, sent back along them; what passes each of them.
ANTIPODE_WIDE void send_back(std::span<const Arc> arcs, double* passing, const Lines& lines,
                             const Lanes& distance, const Lanes& share, const Lanes& weight) {
  const Wide zero = {}, at = ANTIPODE_LANES(distance), each = ANTIPODE_LANES(share),
             counted = ANTIPODE_LANES(weight);
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const Arc& arc = arcs[i];
    const Wide all = ANTIPODE_LANES(lines.paths[arc.place]) * (each * arc.paths),
               back = ANTIPODE_LANES(lines.distances[arc.place]) + arc.length == at ? all : zero,
               weighted = counted * back;
    ANTIPODE_LANES_TO(lines.flow[arc.place]) += back;
    passing[i] += ((weighted[0] + weighted[1]) + (weighted[2] + weighted[3])) +
                  ((weighted[4] + weighted[5]) + (weighted[6] + weighted[7]));
  }
}

// What goes up along these arcs, from the flow for each path at their ends.
ANTIPODE_WIDE void take_back(std::span<const Arc> arcs, double* passing, const Lines& lines,
                             const Lanes& distance, const Lanes& paths, const Lanes& weight,
                             Lanes& total) {
  const Wide zero = {}, at = ANTIPODE_LANES(distance), ways = ANTIPODE_LANES(paths),
             counted = ANTIPODE_LANES(weight);
  Wide sum = zero;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const Arc& arc = arcs[i];
    const Wide all = ways * (ANTIPODE_LANES(lines.flow[arc.place]) * arc.paths),
               back = at + arc.length == ANTIPODE_LANES(lines.distances[arc.place]) ? all : zero,
               weighted = counted * back;
    sum += back;
    passing[i] += ((weighted[0] + weighted[1]) + (weighted[2] + weighted[3])) +
                  ((weighted[4] + weighted[5]) + (weighted[6] + weighted[7]));
  }
  ANTIPODE_LANES_TO(total) = sum;
}

Lanes same(double value) {
  Lanes result;
  result.at.fill(value);
  return result;
}

}  // namespace

PathPasses::PathPasses(const PathHierarchy& hierarchy)
    : hierarchy_(hierarchy),
      distances_(hierarchy.order()),
      paths_(hierarchy.order()),
      flow_(hierarchy.order()),
      up_distances_(hierarchy.order()),
      up_paths_(hierarchy.order()),
      up_flow_(hierarchy.order()),
      is_climbed_(hierarchy.order(), 0),
      arcs_(hierarchy.arcs(), 0),
      inner_(hierarchy.order(), 0) {}

std::uint64_t PathPasses::bytes(const PathHierarchy& hierarchy) {
  return hierarchy.order() * (6 * sizeof(Lanes) + 24) + hierarchy.arcs() * sizeof(double);
}

void PathPasses::begin_at(Vertex place) {
  is_climbed_[place] = 1;
  up_distances_[place] = same(kNone);
  up_paths_[place] = same(0);
}

// Lower places come first, so that what is below a place is known when it is reached.
void PathPasses::climb(std::span<const Vertex> sources) {
  std::priority_queue<Vertex> queue;
  for (const Vertex place : climbed_) is_climbed_[place] = 0;
  climbed_.clear();
  for (std::size_t l = 0; l < sources.size(); ++l) {
    const Vertex place = hierarchy_.place[sources[l]];
    if (!is_climbed_[place]) begin_at(place), queue.push(place);
    up_distances_[place][l] = 0;
    up_paths_[place][l] = 1;
  }
  while (!queue.empty()) {
    const Vertex place = queue.top();
    queue.pop();
    climbed_.push_back(place);
    for (std::uint32_t i = hierarchy_.leave_begin[place]; i < hierarchy_.leave_begin[place + 1];
         ++i) {
      const Arc& arc = hierarchy_.leaving[i];
      if (!is_climbed_[arc.place]) begin_at(arc.place), queue.push(arc.place);
      lift_paths(arc, up_distances_[place], up_paths_[place], up_distances_[arc.place],
                 up_paths_[arc.place]);
    }
  }
}

bool PathPasses::add(std::span<const Vertex> sources, std::span<const double> weights) {
  const Vertex order = hierarchy_.order();
  const auto entering = [&](Vertex p) {
    return std::span(hierarchy_.entering)
        .subspan(hierarchy_.enter_begin[p],
                 hierarchy_.enter_begin[p + 1] - hierarchy_.enter_begin[p]);
  };
  climb(sources);
  for (Vertex p = 0; p < order; ++p) {
    distances_[p] = is_climbed_[p] ? up_distances_[p] : same(kNone);
    paths_[p] = is_climbed_[p] ? up_paths_[p] : same(0);
    join_paths(entering(p), distances_.data(), paths_.data(), distances_[p], paths_[p]);
    for (const double paths : paths_[p].at)
      if (!(paths < kMostPaths)) return false;
    flow_[p] = same(0);
  }
  for (const Vertex p : climbed_)  // more than all paths, where a climb is longer than needed
    for (const double paths : up_paths_[p].at)
      if (!(paths < kMostPaths)) return false;
  Lanes weight = same(0);
  for (std::size_t l = 0; l < sources.size(); ++l) weight[l] = weights[sources[l]];
  const Lines lines{distances_.data(), paths_.data(), flow_.data()};
  // A source counts nothing that passes itself.
  std::vector<std::pair<Vertex, std::size_t>> own;
  for (std::size_t l = 0; l < sources.size(); ++l) own.push_back({hierarchy_.place[sources[l]], l});
  std::sort(own.begin(), own.end());
  const auto add_inner = [&](Vertex p, const Lanes& through) {
    Lanes counted = weight;
    if (is_climbed_[p])
      for (const auto& [place, l] : own)
        if (place == p) counted[l] = 0;
    double sum = 0;
    for (std::size_t l = 0; l < kLanes; ++l) sum += counted[l] * through[l];
    inner_[p] += sum;
  };
  for (Vertex p = order; p-- > 0;) {
    add_inner(p, flow_[p]);
    const double here = weights[hierarchy_.vertex[p]];
    Lanes share;
    for (std::size_t l = 0; l < kLanes; ++l)
      share[l] = paths_[p][l] > 0 ? (here + flow_[p][l]) / paths_[p][l] : 0;
    send_back(entering(p), arcs_.data() + hierarchy_.enter_begin[p], lines, distances_[p], share,
              weight);
    if (is_climbed_[p])
      for (std::size_t l = 0; l < kLanes; ++l)
        up_flow_[p][l] = up_distances_[p][l] == distances_[p][l] ? up_paths_[p][l] * share[l] : 0;
  }
  const Lines up{up_distances_.data(), up_paths_.data(), up_flow_.data()};
  for (std::size_t i = climbed_.size(); i-- > 0;) {
    const Vertex p = climbed_[i];
    const auto begin = hierarchy_.leave_begin[p], end = hierarchy_.leave_begin[p + 1];
    Lanes through = same(0);
    take_back(std::span(hierarchy_.leaving).subspan(begin, end - begin),
              arcs_.data() + hierarchy_.entering.size() + begin, up, up_distances_[p], up_paths_[p],
              weight, through);
    add_inner(p, through);
    for (std::size_t l = 0; l < kLanes; ++l)
      up_flow_[p][l] = up_paths_[p][l] > 0 ? (up_flow_[p][l] + through[l]) / up_paths_[p][l] : 0;
  }
  return true;
}

// Arcs of higher places are complete when a place is reached: only vertices above stand for them.
void PathPasses::finish(Dependencies& sums) {
  for (Vertex p = 0; p < hierarchy_.order(); ++p) {
    double through = inner_[p];
    for (std::uint32_t i = hierarchy_.shortcut_begin[p]; i < hierarchy_.shortcut_begin[p + 1];
         ++i) {
      const PathHierarchy::Shortcut& shortcut = hierarchy_.shortcuts[i];
      const double part = arcs_[shortcut.whole] * shortcut.share;
      arcs_[shortcut.first] += part;
      arcs_[shortcut.second] += part;
      through += part;
    }
    sums.vertices[hierarchy_.vertex[p]] += through;
    inner_[p] = 0;
  }
  for (std::size_t arc = 0; arc < sums.arcs.size(); ++arc)
    sums.arcs[arc] += arcs_[hierarchy_.number[arc]] * hierarchy_.share[arc];
  std::fill(arcs_.begin(), arcs_.end(), 0.0);
}

}  // namespace antipode::host
