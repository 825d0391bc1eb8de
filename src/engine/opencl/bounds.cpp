// Bounds and candidate sets: the launches of bounds.cl, and what the host decides.
#include "engine/opencl/bounds.hpp"

#include <algorithm>

#include "graph/folding.hpp"
#include "graph/sample.hpp"

namespace antipode::opencl {

namespace {

enum Flag : unsigned char { kCandidate = 1, kOutside = 2, kSearched = 4 };  // as in common.cl

unsigned char mask_of(Among among) { return among == Among::candidates ? kCandidate : kOutside; }

}  // namespace

ClBounds::ClBounds(const Context& context, const DeviceGraph& graph, DistancesOf distances_of,
                   Traversal& traversal, Lanes& lanes)
    : context_(context),
      graph_(graph),
      distances_of_(std::move(distances_of)),
      traversal_(traversal),
      lanes_(lanes),
      kernels_(context, "bounds"),
      lower_(context, graph.order()),
      upper_(context, graph.order()),
      flags_(context, graph.order()) {
  const std::size_t groups = std::max<std::size_t>(fold_range().items / fold_range().group, 1);
  censuses_ = Buffer<DeviceCensus>(context, groups);
  farthest_ = Buffer<FarthestDistance>(context, groups);
  counts_ = Buffer<Vertex>(context, groups);
  ranks_ = Buffer<Rank>(context, groups);
  reset();
}

// The range of kernels that reduce to one value per work-group of 256 items.
Range ClBounds::fold_range() const {
  const std::size_t most = std::size_t{context_.device().units} * 8 * 256;
  return {std::min(Range::over(order()).items, most), 256};
}

template <class... Arguments>
void ClBounds::run_change(const char* kernel, const Arguments&... arguments) {
  kernels_.run(kernel, Range::over(order()), arguments..., order());
  census_known_ = false;
}

const ClBounds::DeviceCensus& ClBounds::counts() const {
  if (census_known_) return census_;
  census_ = {};
  census_known_ = true;
  if (order() == 0) return census_;
  kernels_.run("census", fold_range(), lower_, upper_, flags_, censuses_, order());
  for (const DeviceCensus& partial : censuses_.values()) {
    census_ = {.candidates = census_.candidates + partial.candidates,
               .outside = census_.outside + partial.outside,
               .max_upper_candidates =
                   std::max(census_.max_upper_candidates, partial.max_upper_candidates),
               .max_upper_outside = std::max(census_.max_upper_outside, partial.max_upper_outside),
               .max_lower = std::max(census_.max_lower, partial.max_lower),
               .max_upper = std::max(census_.max_upper, partial.max_upper),
               .min_lower = std::min(census_.min_lower, partial.min_lower),
               .min_upper = std::min(census_.min_upper, partial.min_upper)};
  }
  return census_;
}

void ClBounds::reset() {
  run_change("reset", lower_, upper_, flags_);
  starts_.clear();
}

void ClBounds::tighten(DistanceHandle distances, Vertex source, Distance eccentricity,
                       Distance farthest) {
  run_change("tighten", lower_, upper_, flags_, distances_of_(distances), source, eccentricity,
             farthest);
}

BoundsSummary ClBounds::summary() const {
  if (order() == 0) return {};
  const DeviceCensus& all = counts();
  return {.max_lower = all.max_lower,
          .max_upper = all.max_upper,
          .min_lower = all.min_lower,
          .min_upper = all.min_upper,
          .candidates = all.candidates};
}

Vertex ClBounds::prune(Question question) {
  const DeviceCensus all = counts();
  run_change("prune", lower_, upper_, flags_, static_cast<std::uint32_t>(question), all.max_lower,
             all.max_upper, all.min_upper);
  return counts().candidates;
}

Vertex ClBounds::select(Select rule, DistanceHandle distances) const {
  if (order() == 0) return kNoVertex;
  const bool needs_distances = rule == Select::farthest || rule == Select::central;
  kernels_.run("select_best", fold_range(), graph_.adjacency().offsets, lower_, upper_, flags_,
               needs_distances ? distances_of_(distances) : lower_, ranks_,
               static_cast<std::uint32_t>(rule), order());
  const auto ranks = ranks_.values();
  const Rank best = *std::max_element(ranks.begin(), ranks.end(), [](const Rank& a, const Rank& b) {
    return std::tie(a.first, a.second, a.third) < std::tie(b.first, b.second, b.third);
  });
  return best.first == std::numeric_limits<std::int64_t>::min() ? kNoVertex
                                                                : static_cast<Vertex>(best.vertex);
}

void ClBounds::copy(std::span<Distance> lower, std::span<Distance> upper) const {
  lower_.download(lower);
  upper_.download(upper);
}

void ClBounds::restore(std::span<const Distance> lower, std::span<const Distance> upper) {
  reset();
  lower_.upload(lower);
  upper_.upload(upper);
}

Census ClBounds::census() const {
  const DeviceCensus& all = counts();
  return {.candidates = all.candidates,
          .outside = all.outside,
          .max_upper = all.max_upper_candidates,
          .max_upper_outside = all.max_upper_outside};
}
bool ClBounds::contains(Vertex candidate) const {
  return (flags_.value(candidate) & kCandidate) != 0;
}

Distance ClBounds::farthest_in(Among among, DistanceHandle distances) const {
  if (order() == 0) return 0;
  kernels_.run("farthest", fold_range(), distances_of_(distances), flags_, farthest_, order());
  FarthestDistance result;
  for (const FarthestDistance& partial : farthest_.values())
    result = {std::max(result.candidates, partial.candidates),
              std::max(result.outside, partial.outside)};
  return among == Among::candidates ? result.candidates : result.outside;
}

void ClBounds::eliminate(DistanceHandle distances, Among among, Distance farthest, Distance limit) {
  if (among == Among::outside)
    return run_change("drop_inside", flags_, distances_of_(distances), farthest, limit);
  run_change("tighten_candidates", upper_, flags_, distances_of_(distances), farthest);
  drop(limit);
}
void ClBounds::drop(Distance limit) { run_change("drop", upper_, flags_, limit); }
void ClBounds::set_ball(DistanceHandle distances, Distance radius) {
  run_change("set_ball", flags_, distances_of_(distances), radius);
}

std::size_t ClBounds::choose_ball(std::span<const DistanceHandle> centers, Distance radius) {
  std::size_t best = 0;
  Vertex fewest = kNoVertex;
  for (std::size_t c = 0; c < centers.size(); ++c) {
    Vertex beyond = 0;
    kernels_.run("count_beyond", fold_range(), distances_of_(centers[c]), flags_, counts_, radius,
                 order());
    for (const Vertex partial : counts_.values(counts_.size())) beyond += partial;
    if (beyond < fewest) best = c, fewest = beyond;
  }
  set_ball(centers[best], radius);
  return best;
}

// A vertex at radius + 1 from the center joins the ball if it is within radius of the clique. A
// search from all vertices of the clique finds these.
void ClBounds::widen_ball(DistanceHandle distances, Distance radius,
                          std::span<const Vertex> clique) {
  if (inside_.size() == 0) inside_ = Buffer<Distance>(context_, order());
  inside_.fill(kUnreached);
  std::vector<host::OffsetSource> starts;
  for (const Vertex v : clique) starts.push_back({v, 0});
  traversal_.offset_search(std::move(starts), radius, inside_);
  run_change("widen_ball", flags_, distances_of_(distances), inside_, radius);
}

void ClBounds::drop_vertices(std::span<const Vertex> dropped) {
  const Buffer<Vertex> list(context_, dropped);
  kernels_.run("drop_listed", Range::over(dropped.size()), flags_, list,
               static_cast<std::uint32_t>(dropped.size()));
  context_.finish();  // before the list is freed
  census_known_ = false;
}

std::vector<Vertex> ClBounds::list_marked(unsigned char mask, const Buffer<unsigned char>& marks,
                                          std::size_t most) const {
  std::vector<Vertex> result;
  const auto all = marks.values();
  for (Vertex v = 0; v < order() && result.size() < most; ++v)
    if ((all[v] & mask) != 0) result.push_back(v);
  return result;
}

void ClBounds::drop_pendant_paths() {
  const auto is_base =
      bases_of_pendant_paths(graph_.host().adjacency(), static_cast<int>(threads()));
  std::vector<Vertex> dropped;
  for (Vertex v = 0; v < order(); ++v)
    if (is_base[v] != 0) dropped.push_back(v);
  drop_vertices(dropped);
}

void ClBounds::drop_twins() {
  std::vector<Vertex> dropped;
  for (const auto& members :
       twin_classes(graph_.host().adjacency(), list_marked(kCandidate, flags_, order())))
    dropped.insert(dropped.end(), members.begin() + 1, members.end());
  drop_vertices(dropped);
}

std::vector<Vertex> ClBounds::lowest(std::size_t most) const {
  const Buffer<unsigned char> marks(context_, order());
  kernels_.run("lowest", Range::over(order()), graph_.adjacency().offsets,
               graph_.adjacency().targets, lower_, flags_, marks, order());
  return list_marked(1, marks, most);
}

// Batches give the eccentricities and the largest distance of every vertex to a source; two offset
// searches do the rest. They may prune by the bounds themselves, since both change by at most one
// from a vertex to its neighbour.
std::vector<SourceOutcome> ClBounds::tighten_from(std::span<const Vertex> sources) {
  census_known_ = false;
  std::vector<SourceOutcome> outcomes(sources.size());
  auto flags = flags_.values();
  const auto lower = lower_.values();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    outcomes[i].lower_before = lower[sources[i]];
    flags[sources[i]] |= kSearched;
  }
  flags_.upload(flags);
  std::vector<host::OffsetSource> starts;
  for (std::size_t begin = 0; begin < sources.size(); begin += lanes_.most()) {
    const auto batch = sources.subspan(begin, std::min(lanes_.most(), sources.size() - begin));
    const auto farthest = lanes_.farthest_from(batch, {nullptr, &lower_, order()});
    for (std::size_t i = 0; i < batch.size(); ++i) {
      outcomes[begin + i].eccentricity = farthest[i].candidates;
      starts.push_back({batch[i], farthest[i].candidates});
    }
  }
  traversal_.descending_offset_search(starts, lower_);
  traversal_.offset_search(std::move(starts), kUnreached - 1, upper_);
  return outcomes;
}

std::vector<Vertex> ClBounds::sample(Among among, std::size_t most, std::uint64_t seed) const {
  return draw_sample(list_marked(mask_of(among), flags_, order()), most, seed);
}

std::vector<FarthestDistance> ClBounds::farthest_from(std::span<const Vertex> sources) {
  const Vertex candidates = counts().candidates;
  census_known_ = false;
  return lanes_.farthest_from(sources, {&flags_, &lower_, candidates});
}

void ClBounds::eliminate_around(std::span<const Vertex> sources,
                                std::span<const FarthestDistance> farthest, Distance limit) {
  if (around_.size() == 0) around_ = Buffer<Distance>(context_, order());
  if (inside_.size() == 0) inside_ = Buffer<Distance>(context_, order());
  auto starts = starts_.next(sources, farthest, limit);
  if (starts.is_new) around_.fill(kUnreached);
  traversal_.offset_search(std::move(starts.candidates), limit, around_);
  inside_.fill(kUnreached);
  traversal_.offset_search(std::move(starts.outside), limit, inside_);
  run_change("drop_around", upper_, flags_, around_, inside_, limit);
}

}  // namespace antipode::opencl
