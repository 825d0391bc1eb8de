// Dependencies of batches: the kernel over all levels, and the host side.
#include "engine/cuda/brandes/dependencies.hpp"

#include <cooperative_groups.h>
#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_select.cuh>
#include <cuda/functional>

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/cuda/brandes/dependency_level.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

namespace {

// Puts the sources of all groups into the first level.
__device__ void seed(const DependencyJob& job, std::size_t thread, std::size_t threads) {
  for (std::size_t i = thread; i < job.count; i += threads) {
    const std::size_t cell = i / 32 * job.graph.order + job.sources[i];
    const unsigned bit = 1u << i % 32;
    job.paths[cell * kWarp + i % 32] = 1;
    atomicOr(&job.seen[cell], bit);
    if (atomicOr(&job.masks[0][cell], bit) != 0) continue;
    const unsigned long long at = atomicAdd(&job.control->found[0].entries, 1ull);
    job.entries[at] = {static_cast<unsigned>(cell), 0};
    if (job.is_wide(job.sources[i]))
      job.wide_entries[atomicAdd(&job.control->found[0].wide, 1ull)] = static_cast<unsigned>(at);
    atomicAdd(&job.control->found[0].arcs,
              static_cast<unsigned long long>(job.graph.degree(job.sources[i])));
  }
}

__device__ void fill(unsigned* data, std::size_t count, std::size_t thread, std::size_t threads) {
  for (std::size_t i = thread; i < count; i += threads) data[i] = 0;
}

__global__ void __launch_bounds__(kDependencyThreads, 1)
    dependency_kernel(const __grid_constant__ DependencyJob job) {
  __shared__ BlockSums sums;
  __shared__ DependencyControl::Found last;  // read by one thread per block
  const cg::grid_group grid = cg::this_grid();
  const std::size_t thread = grid.thread_rank(), threads = grid.size(),
                    cells = std::size_t{job.groups} * job.graph.order;
  const unsigned warp = static_cast<unsigned>(thread / kWarp),
                 warps = static_cast<unsigned>(threads / kWarp);
  DependencyControl::Found* const found = job.control->found;
  const auto read_counts = [&](unsigned slot) {
    grid.sync();
    if (threadIdx.x == 0)
      last = {fresh(&found[slot].entries), fresh(&found[slot].wide), fresh(&found[slot].arcs)};
    __syncthreads();
  };
  seed(job, thread, threads);
  read_counts(0);
  for (std::size_t i = thread; i < last.entries; i += threads)
    job.entries[i].y = job.masks[0][job.entries[i].x];
  grid.sync();

  ulonglong2 begin{0, 0}, end{last.entries, last.wide};
  Distance level = 0;
  for (; end.x > begin.x && level <= job.graph.order; ++level) {
    if (thread == 0) {
      job.starts[level] = begin;
      found[(level + 2) % 3] = {0, 0, 0};
    }
    const unsigned slot = (level + 1) % 3;
    const Forward forward{.job = job,
                          .begin = begin,
                          .end = end,
                          .now = job.masks[level % 3],
                          .next = job.masks[slot],
                          .found = found[slot]};
    const bool wide = last.arcs * 8 > job.graph.arcs * job.groups;
    if (wide) {
      forward.pull(sums, warp, warps);
    } else {
      forward.push(warp, warps);
      read_counts(slot);
      forward.count(last.entries, last.wide, sums, warp, warps);
    }
    if (level > 0)  // no block reads the level before any more
      for (std::size_t i = job.starts[level - 1].x + thread; i < begin.x; i += threads)
        job.masks[(level + 2) % 3][job.entries[i].x] = 0;
    read_counts(slot);
    begin = end;
    end = {end.x + last.entries, end.y + last.wide};
  }
  if (thread == 0) job.starts[level] = begin;  // the level after the last one is empty
  for (unsigned k = 0; k < 3; ++k) fill(job.masks[k], cells, thread, threads);
  grid.sync();

  for (Distance d = level; d-- > (job.along != nullptr ? 0u : 1u);) {
    const Backward backward{job, job.masks[(d + 1) % 3], job.masks[d % 3]};
    const ulonglong2 from = job.starts[d], to = job.starts[d + 1];
    for (unsigned long long i = from.x + warp; i < to.x; i += warps)
      if (const uint2 entry = job.entries[i]; !job.is_wide(entry.x % job.graph.order))
        backward.add_dependencies(entry, d == 0, {0, 1}, nullptr);
    for (unsigned long long i = from.y + blockIdx.x; i < to.y; i += gridDim.x)
      backward.add_dependencies(job.entries[job.wide_entries[i]], d == 0,
                                {threadIdx.x / kWarp, kDependencyWarps}, &sums);
    if (d + 2 < level)
      for (std::size_t i = job.starts[d + 2].x + thread; i < job.starts[d + 3].x; i += threads)
        job.masks[(d + 2) % 3][job.entries[i].x] = 0;
    grid.sync();
  }
}

// All vertices of wide degree, in order.
Vertex list_wide(const Context& context, const GraphView& graph, const GraphView& into,
                 Vertex* list) {
  const Buffer<Vertex> count(1);
  const auto is_wide = [=] __device__(Vertex v) {
    return graph.degree(v) > kWideDegree || into.degree(v) > kWideDegree;
  };
  const thrust::counting_iterator<Vertex> numbers(0);
  std::size_t bytes = 0;
  check(cub::DeviceSelect::If(nullptr, bytes, numbers, list, count.data(), graph.order,
                              ::cuda::proclaim_return_type<bool>(is_wide), context.stream()),
        "sizing a selection");
  const Buffer<unsigned char> scratch(bytes);
  check(cub::DeviceSelect::If(scratch.data(), bytes, numbers, list, count.data(), graph.order,
                              ::cuda::proclaim_return_type<bool>(is_wide), context.stream()),
        "selecting");
  return context.value(count.data());
}

// Adds the groups in order, so that the sums do not depend on how many there are.
void add_up(const Context& context, std::size_t groups, std::size_t count, const double* parts,
            double* sums) {
  for_each(context, count, [=] __device__(std::size_t i) {
    double sum = sums[i];
    for (std::size_t g = 0; g < groups; ++g) sum += parts[g * count + i];
    sums[i] = sum;
  });
}

std::size_t most_wide(const GraphView& graph, const GraphView& into) {
  return std::min<std::size_t>(graph.order, graph.arcs / kWideDegree + into.arcs / kWideDegree + 2);
}

}  // namespace

DependencyBatches::DependencyBatches(const Context& context, const GraphView& graph,
                                     const GraphView& into, std::size_t positions,
                                     std::function<bool()> interrupted)
    : context_(context),
      graph_(graph),
      into_(into),
      positions_(positions),
      interrupted_(std::move(interrupted)) {}

DependencyBatches::~DependencyBatches() = default;

std::uint64_t DependencyBatches::bytes_of_group(bool with_arcs) const {
  return std::uint64_t{graph_.order} * (3 * 256 + 4 * 4 + 3 * 8) +
         4 * kGroup * most_wide(graph_, into_) + 16 * (std::uint64_t{graph_.order} + 4) +
         (with_arcs ? 16 * std::uint64_t{positions_} : 0) + (1 << 20);
}

void DependencyBatches::make_room(std::size_t groups, bool with_arcs) {
  const std::size_t order = graph_.order;
  if (control_.size() == 0) {
    wide_ = Buffer<Vertex>(most_wide(graph_, into_));
    wide_count_ = list_wide(context_, graph_, into_, wide_.data());
    weights_ = Buffer<double>(order);
    vertices_ = Buffer<double>(order);
    starts_ = Buffer<ulonglong2>(order + 4);
    sources_ = Buffer<Vertex>(kGroup * kMostGroups);
    control_ = Buffer<DependencyControl>(1);
  }
  if (groups <= groups_ && (!with_arcs || along_.size() > 0)) return;
  groups_ = 0;  // frees the old buffers before allocating
  for (Buffer<double>* each : {&paths_, &share_, &through_, &along_, &arcs_})
    *each = Buffer<double>();
  for (Buffer<unsigned>* each : {&masks_, &wide_entries_}) *each = Buffer<unsigned>();
  entries_ = Buffer<uint2>();
  paths_ = Buffer<double>(groups * order * kGroup);
  share_ = Buffer<double>(groups * order * kGroup);
  through_ = Buffer<double>(groups * order);
  masks_ = Buffer<unsigned>(4 * groups * order);
  entries_ = Buffer<uint2>(groups * order * kGroup);
  wide_entries_ = Buffer<unsigned>(std::max<std::size_t>(1, groups * wide_count_ * kGroup));
  if (with_arcs) along_ = Buffer<double>(groups * positions_);
  if (with_arcs) arcs_ = Buffer<double>(positions_);
  groups_ = groups;
}

void DependencyBatches::run(std::span<const Vertex> sources, std::size_t groups, bool with_arcs) {
  const std::size_t cells = groups * graph_.order;
  context_.upload(sources_.data(), sources);
  context_.fill_bytes(control_.data(), 0, 1);
  context_.fill_bytes(masks_.data(), 0, 4 * cells);
  context_.fill_bytes(through_.data(), 0, cells);
  if (with_arcs) context_.fill_bytes(along_.data(), 0, groups * positions_);
  unsigned* const masks = masks_.data();
  const DependencyJob job{.graph = graph_,
                          .into = into_,
                          .sources = sources_.data(),
                          .count = static_cast<unsigned>(sources.size()),
                          .groups = static_cast<unsigned>(groups),
                          .weights = weights_.data(),
                          .paths = paths_.data(),
                          .share = share_.data(),
                          .through = through_.data(),
                          .along = with_arcs ? along_.data() : nullptr,
                          .positions = positions_,
                          .seen = masks,
                          .masks = {masks + cells, masks + 2 * cells, masks + 3 * cells},
                          .entries = entries_.data(),
                          .wide_entries = wide_entries_.data(),
                          .starts = starts_.data(),
                          .wide = wide_.data(),
                          .wide_count = wide_count_,
                          .control = control_.data()};
  context_.launch_cooperative(dependency_kernel, kDependencyThreads, 0, job);
  add_up(context_, groups, graph_.order, through_.data(), vertices_.data());
  if (with_arcs) add_up(context_, groups, positions_, along_.data(), arcs_.data());
}

std::vector<Vertex> DependencyBatches::add(std::span<const Vertex> sources, const Graph& host_graph,
                                           std::uint64_t room, Dependencies& sums) {
  constexpr std::size_t kCells = 1 << 21;  // work enough for the whole GPU
  const bool with_arcs = !sums.arcs.empty();
  const std::size_t wanted =
      std::min<std::size_t>({kMostGroups, (sources.size() + kGroup - 1) / kGroup,
                             std::max<std::size_t>(1, kCells / graph_.order)});
  make_room(std::clamp<std::size_t>(room / bytes_of_group(with_arcs), 1, wanted), with_arcs);
  const std::size_t groups = groups_;
  context_.upload(weights_.data(), sums.weights);
  context_.upload(vertices_.data(), std::span<const double>(sums.vertices));
  if (with_arcs) context_.fill_bytes(arcs_.data(), 0, positions_);
  std::vector<Vertex> remaining;
  for (std::size_t begin = 0; begin < sources.size(); begin += groups * kGroup) {
    if (interrupted_()) throw Interrupted();
    const auto batch = sources.subspan(begin, std::min(groups * kGroup, sources.size() - begin));
    run(batch, (batch.size() + kGroup - 1) / kGroup, with_arcs);
    unsigned too_many[kMostGroups];
    context_.download(std::span<unsigned>(too_many), control_.data()->too_many);
    for (std::size_t i = 0; i < batch.size(); ++i)
      if ((too_many[i / kGroup] >> i % kGroup & 1) != 0) remaining.push_back(batch[i]);
  }
  context_.download(std::span<double>(sums.vertices), vertices_.data());
  if (with_arcs) add_arcs(host_graph, sums);
  return remaining;
}

// Adjacencies on the GPU are padded and in another order; targets identify the arcs.
void DependencyBatches::add_arcs(const Graph& host_graph, Dependencies& sums) const {
  std::vector<double> along(positions_);
  std::vector<Vertex> targets(positions_);
  std::vector<std::uint64_t> ranges(graph_.order);
  context_.download(std::span<double>(along), arcs_.data());
  context_.download(std::span<Vertex>(targets), graph_.targets);
  context_.download(std::span<std::uint64_t>(ranges), graph_.ranges);
  for (Vertex v = 0; v < graph_.order; ++v) {
    const auto around = host_graph.neighbors(v);
    const EdgeOffset begin = ranges[v] >> GraphView::kDegreeBits;
    for (std::size_t k = 0; k < around.size(); ++k) {
      const auto position = static_cast<std::size_t>(
          std::lower_bound(around.begin(), around.end(), targets[begin + k]) - around.begin());
      sums.arcs[host_graph.offsets()[v] + position] += along[begin + k];
    }
  }
}

}  // namespace antipode::cuda
