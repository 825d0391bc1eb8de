// Batches in bit lanes: the order of vertices, memory and requests.
#include "engine/cuda/batch/lanes.hpp"

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/cuda/batch/lane_level.hpp"

namespace antipode::cuda {

namespace {

// Descending by the number of steps of a pull; then in the order of the graph, in which neighbours
// may be close.
__device__ unsigned rank_key(Vertex degree) {
  return degree > Lanes::kHugeDegree   ? 0
         : degree > Lanes::kWideDegree ? 1
                                       : 2 + (Lanes::kWideDegree - degree) / 8;
}

void make_keys(const Context& context, const GraphView& graph, Vertex* numbers, unsigned char* keys,
               Vertex* counts) {
  for_each(context, graph.order, [=] __device__(std::size_t v) {
    const unsigned key = rank_key(graph.degree(static_cast<Vertex>(v)));
    numbers[v] = static_cast<Vertex>(v);
    keys[v] = static_cast<unsigned char>(key);
    if (key < 2) atomicAdd(&counts[key], 1u);
  });
}

void add_near(const Context& context, Vertex order, const VertexSums& account) {
  for_each(context, order, [=] __device__(std::size_t v) {
    for (Distance level = 1; level < VertexSums::kNear; ++level)
      if (const Vertex count = account.near[std::size_t{level} * order + v]; count > 0)
        account.add(static_cast<Vertex>(v), level, count);
  });
}

}  // namespace

Lanes::Lanes(const Context& context, const Graph& host_graph, const GraphView& graph,
             const GraphView& into, std::size_t most, SearchKernels& kernels,
             std::function<bool()> interrupted)
    : context_(context),
      host_graph_(host_graph),
      graph_(graph),
      into_(into),
      most_(most),
      kernels_(kernels),
      interrupted_(std::move(interrupted)) {}

Lanes::~Lanes() = default;

void Lanes::rank_vertices() {
  const std::size_t order = graph_.order;
  Buffer<Vertex> ranked(order);
  const Buffer<Vertex> numbers(order);
  const Buffer<unsigned char> keys(order), sorted(order);
  const Buffer<Vertex> counts(2);  // of huge degrees; of wide ones
  context_.fill_bytes(counts.data(), 0, 2);
  make_keys(context_, into_, numbers.data(), keys.data(), counts.data());
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.data(), sorted.data(), numbers.data(),
                                        ranked.data(), order, 0, 8, context_.stream()),
        "sizing a sort");
  const Buffer<unsigned char> scratch(bytes);
  check(cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, keys.data(), sorted.data(),
                                        numbers.data(), ranked.data(), order, 0, 8,
                                        context_.stream()),
        "sorting vertices");
  Vertex found[2];
  context_.download(std::span<Vertex>(found), counts.data());
  ranked_ = std::move(ranked);
  ranks_ = {ranked_.data(), found[0],
            static_cast<Vertex>(
                std::min<std::size_t>(order, (std::size_t{found[0]} + found[1] + 31) / 32 * 32))};
}

void Lanes::make_room(std::size_t groups) {
  if (control_.size() == 0) {
    sources_ = Buffer<Vertex>(kMost);
    marks_ = Buffer<unsigned>(4 * bitmap_words(graph_.order));
    rank_vertices();
    control_ = Buffer<LaneControl>(1);
  }
  if (words_.size() >= 2 * groups * graph_.order) return;
  words_ = Buffer<uint4>();  // frees the old buffer before allocating
  words_ = Buffer<uint4>(2 * groups * graph_.order);
}

// Empty if the plan has no search by blocks, or if a frontier overflowed its queue.
std::span<const BlockResult> Lanes::search_by_blocks(std::span<const Vertex> sources,
                                                     const FarthestRequest& request,
                                                     Arrivals arrivals) {
  if (kernels_.has_block() && interrupted_()) throw Interrupted();
  return kernels_.search_each(sources, request, arrivals);
}

bool Lanes::search_concurrently(std::span<const Vertex> sources, Distance* distances) {
  if (kernels_.has_block() && interrupted_()) throw Interrupted();
  return kernels_.search_concurrently(sources, distances);
}

std::vector<FarthestDistance> Lanes::farthest_from(std::span<const Vertex> sources,
                                                   const FarthestRequest& request) {
  std::vector<FarthestDistance> result(sources.size());
  if (sources.empty()) return result;
  if (const auto found = search_by_blocks(sources, request, {}); !found.empty()) {
    std::transform(found.begin(), found.end(), result.begin(),
                   [](const BlockResult& each) { return each.reach; });
    return result;
  }
  run(sources, request, LaneOutput::farthest, {});
  context_.download(std::span<FarthestDistance>(result), control_.data()->farthest);
  return result;
}

std::vector<Summary> Lanes::summarize(std::span<const Vertex> sources) {
  std::vector<Summary> result;
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto batch = sources.subspan(begin, std::min(most_, sources.size() - begin));
    if (const auto found = search_by_blocks(batch, {nullptr, nullptr, graph_.order}, {});
        !found.empty()) {
      for (const BlockResult& each : found)
        result.push_back({each.eccentricity, each.reached, each.distance_sum});
      continue;
    }
    run(batch, {nullptr, nullptr, graph_.order}, LaneOutput::lanes, {});
    std::vector<FarthestDistance> farthest(batch.size());
    std::vector<unsigned long long> counts(batch.size()), sums(batch.size());
    context_.download(std::span<FarthestDistance>(farthest), control_.data()->farthest);
    context_.download(std::span<unsigned long long>(counts), control_.data()->counts);
    context_.download(std::span<unsigned long long>(sums), control_.data()->sums);
    for (std::size_t i = 0; i < batch.size(); ++i)
      result.push_back({farthest[i].candidates, static_cast<Vertex>(counts[i]), sums[i]});
  }
  return result;
}

template <class Total, class Part>
void Lanes::add_to(std::vector<Total>& totals, const Buffer<Part>& parts) {
  std::vector<Part> values(parts.size());
  context_.download(std::span<Part>(values), parts.data());
  std::transform(values.begin(), values.end(), totals.begin(), totals.begin(), std::plus<>());
}

void Lanes::add_distances(std::span<const Vertex> sources, DistanceSums& sums) {
  const std::size_t order = graph_.order;
  if (accounts_.sums.size() == 0)
    accounts_ = {.near = Buffer<Vertex>(VertexSums::kNear * order),
                 .sums = Buffer<unsigned long long>(order),
                 .inverse_sums = Buffer<unsigned long long>(order),
                 .counts = Buffer<Vertex>(order),
                 .farthest = Buffer<Distance>(order)};
  context_.fill_bytes(accounts_.near.data(), 0, accounts_.near.size());
  context_.fill_bytes(accounts_.sums.data(), 0, order);
  context_.fill_bytes(accounts_.inverse_sums.data(), 0, order);
  context_.fill_bytes(accounts_.counts.data(), 0, order);
  context_.fill_bytes(accounts_.farthest.data(), 0, order);
  account_ = {.near = accounts_.near.data(),
              .sums = accounts_.sums.data(),
              .inverse_sums = accounts_.inverse_sums.data(),
              .counts = accounts_.counts.data(),
              .farthest = accounts_.farthest.data(),
              .unit = sums.unit};
  context_.make_room(list_, sources.size());
  context_.upload(list_.data(), sources);
  for (std::size_t begin = 0; begin < sources.size(); begin += most_)
    run(list_.data() + begin, std::min(most_, sources.size() - begin),
        {nullptr, nullptr, graph_.order}, LaneOutput::vertices, {});
  add_near(context_, graph_.order, account_);
  add_to(sums.sum, accounts_.sums);
  add_to(sums.inverse_sum, accounts_.inverse_sums);
  add_to(sums.sources, accounts_.counts);
  std::vector<Distance> farthest(order);
  context_.download(std::span<Distance>(farthest), accounts_.farthest.data());
  std::transform(farthest.begin(), farthest.end(), sums.farthest.begin(), sums.farthest.begin(),
                 [](Distance a, Distance b) { return std::max(a, b); });
}

// Uses blocks if the plan has them. If one of them overflows, all batches are repeated in bit
// lanes. Without weights every source counts once.
std::vector<std::uint64_t> Lanes::add_arrivals(std::span<const Vertex> sources,
                                               std::span<const Multiplicities> weights) {
  const std::size_t levels = std::size_t{graph_.order} + 1 + std::tuple_size_v<Multiplicities>;
  if (arrivals_.size() == 0) arrivals_ = Buffer<unsigned long long>(levels);
  if (!weights.empty() && weights_.size() == 0) weights_ = Buffer<Multiplicities>(kMost);
  context_.fill_bytes(arrivals_.data(), 0, levels);
  const Arrivals arrivals{arrivals_.data(), weights.empty() ? nullptr : weights_.data()};
  for (std::size_t begin = 0; begin < sources.size(); begin += most_) {
    const auto batch = sources.subspan(begin, std::min(most_, sources.size() - begin));
    if (!weights.empty()) context_.upload(weights_.data(), weights.subspan(begin, batch.size()));
    const bool block_each = kernels_.has_block();
    if (block_each && !search_by_blocks(batch, {nullptr, nullptr, graph_.order}, arrivals).empty())
      continue;
    if (block_each) return add_arrivals(sources, weights);
    run(batch, {nullptr, nullptr, graph_.order},
        weights.empty() ? LaneOutput::farthest : LaneOutput::lanes, arrivals);
  }
  std::vector<unsigned long long> counted(levels);
  context_.download(std::span<unsigned long long>(counted), arrivals_.data());
  std::vector<std::uint64_t> result(counted.begin(), counted.end());
  while (!result.empty() && result.back() == 0) result.pop_back();
  return result;
}

void Lanes::count(std::span<const Vertex> sources, DistanceCounts& counts) {
  if (sources.empty()) return;
  const auto multiplicities = counts.multiplicities;
  if (multiplicities.empty()) counts.add(0, 0, sources.size());
  for (std::size_t i = 0; i < multiplicities.size(); ++i) counts.add(i, 0, 1);
  counts.add(add_arrivals(sources, multiplicities));
}

}  // namespace antipode::cuda
