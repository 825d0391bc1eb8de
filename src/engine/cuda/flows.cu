#include "engine/cuda/flows.hpp"

#include <cooperative_groups.h>
#include <cub/device/device_select.cuh>
#include <cuda/functional>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>

#include "antipode/error.hpp"
#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

namespace cg = cooperative_groups;

// What the blocks tell each other. Three sets of counts rotate: of this level, of the next, and the one being cleared.
struct FlowControl {
  struct Found {
    unsigned long long entries, wide, arcs;
  } found[3];
  unsigned too_many[32];               // of each group: sources with more paths than can be counted
};

namespace {

constexpr unsigned kThreads = 1024, kWarps = kThreads / kWarp;
constexpr Vertex kWideRow = 512;       // longer rows are a block's
constexpr double kMostPaths = 0x1p900;

struct FlowJob {
  GraphView graph, into;
  const Vertex* sources;
  unsigned count, groups;              // of sources, and of groups of 32
  const double* weights;
  double *paths, *share, *through, *along;  // along: null where arcs are not wanted
  std::size_t positions;
  unsigned *seen, *masks[3];
  uint2* entries;                      // cell (group × order + vertex) and lanes, level after level
  unsigned* wide_entries;              // places of those with a wide row
  ulonglong2* starts;                  // of each level: its first entry, its first wide one
  const Vertex* wide;                  // all vertices with a wide row
  Vertex wide_count;
  FlowControl* control;

  __device__ bool is_wide(Vertex v) const { return graph.degree(v) > kWideRow || into.degree(v) > kWideRow; }
  __device__ unsigned lanes_of(unsigned group) const { return count - group * 32 >= 32 ? ~0u : (1u << (count - group * 32)) - 1; }
};

struct Cell {
  Vertex v;
  unsigned group;
  std::size_t base;                    // of the group's cells
  __device__ Cell(const FlowJob& job, unsigned cell) : v(cell % job.graph.order), group(cell / job.graph.order), base(std::size_t{group} * job.graph.order) {}
};

// Which part of a row is looked at: all of it by one warp, or every kWarps-th piece of 32.
struct Share {
  unsigned which, of;
};

// The values of those neighbours that have lanes in the mask, added up in the order of the row; `met` gets the lanes. each(position, mask,
// value) sees every one.
template <class Each>
__device__ double gathered(const GraphView& graph, const GraphView::Row& row, std::size_t base, const unsigned* masks, unsigned mask, const double* values, Share share, unsigned& met, Each each) {
  constexpr unsigned kAtOnce = 4;
  double sum = 0;
  for (EdgeOffset first = share.which * kWarp; first < row.degree; first += share.of * kWarp) {
    const bool here = first + lane() < row.degree;
    const Vertex u = here ? graph.targets[row.begin + first + lane()] : 0;
    const unsigned common = here ? masks[base + u] & mask : 0;
    met |= common;
    for (unsigned waiting = __ballot_sync(~0u, common != 0); waiting != 0;) {
      double value[kAtOnce];
      unsigned owner[kAtOnce], lanes[kAtOnce];
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) {
        owner[k] = waiting != 0 ? __ffs(waiting) - 1 : 0;
        lanes[k] = __shfl_sync(~0u, common, owner[k]);
        if (waiting == 0) lanes[k] = 0;
        waiting &= waiting - 1;
        const Vertex its = __shfl_sync(~0u, u, owner[k]);
        value[k] = (lanes[k] >> lane() & 1) != 0 ? values[(base + its) * kWarp + lane()] : 0;
      }
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) {
        sum += value[k];
        if (lanes[k] != 0) each(row.begin + first + owner[k], value[k]);
      }
    }
  }
  met = __reduce_or_sync(~0u, met);
  return sum;
}

// A warp or a block looks at a row. Of a block every warp comes, each brings its part, and the first gets the sum in the order of the warps.
struct Sums {
  double values[kWarps][kWarp];
  unsigned met[kWarps];
};
__device__ double joined(Sums& sums, double mine, unsigned& met) {
  const unsigned warp = threadIdx.x / kWarp;
  sums.values[warp][lane()] = mine;
  if (lane() == 0) sums.met[warp] = met;
  __syncthreads();
  double sum = 0;
  for (unsigned w = 0; w < kWarps; ++w) sum += sums.values[w][lane()], met |= sums.met[w];
  __syncthreads();
  return sum;
}

// The lanes of a warp that have something append it, in their order.
template <class T>
__device__ void append(bool mine, T value, T* list, unsigned long long begin, unsigned long long* count) {
  const unsigned those = __ballot_sync(~0u, mine);
  if (those == 0) return;
  unsigned long long at = 0;
  if (lane() == 0) at = atomicAdd(count, static_cast<unsigned long long>(__popc(those)));
  at = begin + __shfl_sync(~0u, at, 0) + __popc(those & ((1u << lane()) - 1));
  if (mine) list[at] = value;
}

// A level on its way forward, as a thread sees it.
struct Forward {
  const FlowJob& job;
  ulonglong2 begin, end;               // of this level, entries and wide ones
  const unsigned* now;                 // lanes of this level …
  unsigned* next;                      // … and of the next
  FlowControl::Found& found;

  // Vertices not seen yet by some lane of a neighbour. All lanes of the warp must come.
  __device__ void push_row(const uint2& entry, Share share) const {
    const Cell cell(job, entry.x);
    const GraphView::Row row = job.graph.row(cell.v);
    for (EdgeOffset first = share.which * kWarp; first < row.degree; first += share.of * kWarp) {
      const bool here = first + lane() < row.degree;
      const Vertex u = here ? job.graph.targets[row.begin + first + lane()] : 0;
      const unsigned news = here ? entry.y & ~job.seen[cell.base + u] : 0;
      const bool is_first = news != 0 && atomicOr(&next[cell.base + u], news) == 0;
      add(is_first, static_cast<unsigned>(cell.base + u), u);
    }
  }
  __device__ void add(bool mine, unsigned cell, Vertex v) const {
    const unsigned those = __ballot_sync(~0u, mine);
    if (those == 0) return;
    unsigned long long at = 0;
    if (lane() == 0) at = atomicAdd(&found.entries, static_cast<unsigned long long>(__popc(those)));
    at = end.x + __shfl_sync(~0u, at, 0) + __popc(those & ((1u << lane()) - 1));
    if (mine) job.entries[at] = {cell, 0};
    append(mine && job.is_wide(v), static_cast<unsigned>(at), job.wide_entries, end.y, &found.wide);
    const unsigned arcs = __reduce_add_sync(~0u, mine ? min(job.graph.degree(v), 1u << 20) : 0);
    if (lane() == 0) atomicAdd(&found.arcs, static_cast<unsigned long long>(arcs));
  }

  __device__ void store(const Cell& cell, unsigned mask, double paths) const {
    if ((mask >> lane() & 1) != 0) job.paths[(cell.base + cell.v) * kWarp + lane()] = paths;
    const unsigned too_many = __ballot_sync(~0u, (mask >> lane() & 1) != 0 && !(paths <= kMostPaths));
    if (lane() == 0 && too_many != 0) atomicOr(&job.control->too_many[cell.group], too_many);
  }
  // The lanes that found a vertex in a push: how many paths has each?
  __device__ void count_paths(unsigned long long at, Share share, Sums* sums) const {
    const Cell cell(job, job.entries[at].x);
    const unsigned mask = next[cell.base + cell.v];
    unsigned met = 0;
    double paths = gathered(job.into, job.into.row(cell.v), cell.base, now, mask, job.paths, share, met, [](EdgeOffset, double) {});
    if (sums != nullptr) paths = joined(*sums, paths, met);
    if (share.which != 0) return;
    store(cell, mask, paths);
    if (lane() != 0) return;
    job.entries[at].y = mask;
    job.seen[cell.base + cell.v] |= mask;
  }
  // A vertex that lacks some lanes looks for them in its whole row.
  __device__ void look_around(const Cell& cell, unsigned lacks, Share share, Sums* sums) const {
    unsigned met = 0;
    double paths = gathered(job.into, job.into.row(cell.v), cell.base, now, lacks, job.paths, share, met, [](EdgeOffset, double) {});
    if (sums != nullptr) paths = joined(*sums, paths, met);
    if (share.which != 0 || met == 0) return;
    store(cell, met, paths);
    const unsigned at = static_cast<unsigned>(cell.base + cell.v);
    add_settled(at, cell.v, met);
    if (lane() != 0) return;
    next[at] = met;
    job.seen[at] |= met;
  }
  __device__ void add_settled(unsigned cell, Vertex v, unsigned mask) const {
    if (lane() != 0) return;
    const unsigned long long at = end.x + atomicAdd(&found.entries, 1ull);
    job.entries[at] = {cell, mask};
    if (job.is_wide(v)) job.wide_entries[end.y + atomicAdd(&found.wide, 1ull)] = static_cast<unsigned>(at);
    atomicAdd(&found.arcs, static_cast<unsigned long long>(min(job.graph.degree(v), 1u << 20)));
  }

  __device__ void push(unsigned warp, unsigned warps) const {
    for (unsigned long long i = begin.x + warp; i < end.x; i += warps)
      if (const uint2 entry = job.entries[i]; !job.is_wide(entry.x % job.graph.order)) push_row(entry, {0, 1});
    for (unsigned long long i = begin.y + blockIdx.x; i < end.y; i += gridDim.x) push_row(job.entries[job.wide_entries[i]], {threadIdx.x / kWarp, kWarps});
  }
  __device__ void count(unsigned long long entries, unsigned long long wide, Sums& sums, unsigned warp, unsigned warps) const {
    for (unsigned long long i = end.x + warp; i < end.x + entries; i += warps)
      if (!job.is_wide(job.entries[i].x % job.graph.order)) count_paths(i, {0, 1}, nullptr);
    for (unsigned long long i = end.y + blockIdx.x; i < end.y + wide; i += gridDim.x) count_paths(job.wide_entries[i], {threadIdx.x / kWarp, kWarps}, &sums);
  }
  __device__ void look(Sums& sums, unsigned warp, unsigned warps) const {
    const std::size_t cells = std::size_t{job.groups} * job.graph.order;
    for (std::size_t first = std::size_t{warp} * kWarp; first < cells; first += std::size_t{warps} * kWarp) {
      unsigned lacks = 0;
      if (const std::size_t at = first + lane(); at < cells) {
        const Cell cell(job, static_cast<unsigned>(at));
        lacks = job.lanes_of(cell.group) & ~job.seen[at];
        if (lacks != 0 && job.is_wide(cell.v)) lacks = 0;
      }
      for (unsigned waiting = __ballot_sync(~0u, lacks != 0); waiting != 0; waiting &= waiting - 1) {
        const unsigned owner = __ffs(waiting) - 1;
        look_around(Cell(job, static_cast<unsigned>(first + owner)), __shfl_sync(~0u, lacks, owner), {0, 1}, nullptr);
      }
    }
    for (unsigned i = blockIdx.x; i < job.wide_count * job.groups; i += gridDim.x) {
      const unsigned group = i / job.wide_count;
      const Cell cell(job, group * job.graph.order + job.wide[i % job.wide_count]);
      const unsigned lacks = job.lanes_of(group) & ~fresh(&job.seen[cell.base + cell.v]);
      __syncthreads();                 // nobody has gone on to write it
      if (lacks != 0) look_around(cell, lacks, {threadIdx.x / kWarp, kWarps}, &sums);
    }
  }
};

// A level on its way back: what each of its vertices wants, for every path to it, from what those one level on want.
struct Back {
  const FlowJob& job;
  const unsigned* beyond;              // lanes of the level beyond
  unsigned* here;                      // and of this one, for the next step

  __device__ void send(const uint2& entry, bool is_source, Share share, Sums* sums) const {
    const Cell cell(job, entry.x);
    const unsigned mask = entry.y & ~job.control->too_many[cell.group];
    const bool mine = (mask >> lane() & 1) != 0;
    const std::size_t at = (cell.base + cell.v) * kWarp + lane();
    const double paths = mine ? job.paths[at] : 0;
    const unsigned source = cell.group * 32 + lane();
    const double from_source = mine ? job.weights[job.sources[source]] : 0;
    unsigned met = 0;
    double sum = gathered(job.graph, job.graph.row(cell.v), cell.base, beyond, mask, job.share, share, met, [&](EdgeOffset position, double value) {
      if (job.along == nullptr) return;
      const double along = total(from_source * (paths * value));
      if (lane() == 0) job.along[cell.group * job.positions + position] += along;
    });
    if (sums != nullptr) sum = joined(*sums, sum, met);
    if (share.which != 0) return;
    const double through = mine ? paths * sum : 0;
    if (mine) job.share[at] = (job.weights[cell.v] + through) / paths;
    // What starts at a vertex does not pass it; but other sources of the group may have reached it on their way.
    const double passes = total(is_source ? 0 : from_source * through);
    if (lane() != 0) return;
    job.through[cell.base + cell.v] += passes;
    here[cell.base + cell.v] = mask;
  }
  // The sum over the lanes, always in the same order.
  __device__ static double total(double value) {
    for (unsigned step = kWarp / 2; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
  }
};

__device__ void seed(const FlowJob& job, std::size_t thread, std::size_t threads) {
  for (std::size_t i = thread; i < job.count; i += threads) {
    const std::size_t cell = i / 32 * job.graph.order + job.sources[i];
    const unsigned bit = 1u << i % 32;
    job.paths[cell * kWarp + i % 32] = 1;
    atomicOr(&job.seen[cell], bit);
    if (atomicOr(&job.masks[0][cell], bit) != 0) continue;
    const unsigned long long at = atomicAdd(&job.control->found[0].entries, 1ull);
    job.entries[at] = {static_cast<unsigned>(cell), 0};
    if (job.is_wide(job.sources[i])) job.wide_entries[atomicAdd(&job.control->found[0].wide, 1ull)] = static_cast<unsigned>(at);
    atomicAdd(&job.control->found[0].arcs, static_cast<unsigned long long>(job.graph.degree(job.sources[i])));
  }
}

__device__ void fill(unsigned* data, std::size_t count, std::size_t thread, std::size_t threads) {
  for (std::size_t i = thread; i < count; i += threads) data[i] = 0;
}

__global__ void __launch_bounds__(kThreads, 1) flow_kernel(const __grid_constant__ FlowJob job) {
  __shared__ Sums sums;
  __shared__ FlowControl::Found last;  // one thread of the block asks for all
  const cg::grid_group grid = cg::this_grid();
  const std::size_t thread = grid.thread_rank(), threads = grid.size(), cells = std::size_t{job.groups} * job.graph.order;
  const unsigned warp = static_cast<unsigned>(thread / kWarp), warps = static_cast<unsigned>(threads / kWarp);
  FlowControl::Found* const found = job.control->found;
  const auto ask = [&](unsigned slot) {
    grid.sync();
    if (threadIdx.x == 0) last = {fresh(&found[slot].entries), fresh(&found[slot].wide), fresh(&found[slot].arcs)};
    __syncthreads();
  };
  seed(job, thread, threads);
  ask(0);
  for (std::size_t i = thread; i < last.entries; i += threads) job.entries[i].y = job.masks[0][job.entries[i].x];
  grid.sync();

  ulonglong2 begin{0, 0}, end{last.entries, last.wide};
  Distance level = 0;
  for (; end.x > begin.x && level <= job.graph.order; ++level) {
    if (thread == 0) {
      job.starts[level] = begin;
      found[(level + 2) % 3] = {0, 0, 0};
    }
    const unsigned slot = (level + 1) % 3;
    const Forward forward{job, begin, end, job.masks[level % 3], job.masks[slot], found[slot]};
    const bool wide = last.arcs * 8 > job.graph.arcs * job.groups;
    if (wide) {
      forward.look(sums, warp, warps);
    } else {
      forward.push(warp, warps);
      ask(slot);
      forward.count(last.entries, last.wide, sums, warp, warps);
    }
    if (level > 0)                     // the level before is nobody's any more
      for (std::size_t i = job.starts[level - 1].x + thread; i < begin.x; i += threads) job.masks[(level + 2) % 3][job.entries[i].x] = 0;
    ask(slot);
    begin = end;
    end = {end.x + last.entries, end.y + last.wide};
  }
  if (thread == 0) job.starts[level] = begin;  // nothing is beyond
  for (unsigned k = 0; k < 3; ++k) fill(job.masks[k], cells, thread, threads);
  grid.sync();

  for (Distance d = level; d-- > (job.along != nullptr ? 0u : 1u);) {
    const Back back{job, job.masks[(d + 1) % 3], job.masks[d % 3]};
    const ulonglong2 from = job.starts[d], to = job.starts[d + 1];
    for (unsigned long long i = from.x + warp; i < to.x; i += warps)
      if (const uint2 entry = job.entries[i]; !job.is_wide(entry.x % job.graph.order)) back.send(entry, d == 0, {0, 1}, nullptr);
    for (unsigned long long i = from.y + blockIdx.x; i < to.y; i += gridDim.x) back.send(job.entries[job.wide_entries[i]], d == 0, {threadIdx.x / kWarp, kWarps}, &sums);
    if (d + 2 < level)
      for (std::size_t i = job.starts[d + 2].x + thread; i < job.starts[d + 3].x; i += threads) job.masks[(d + 2) % 3][job.entries[i].x] = 0;
    grid.sync();
  }
}

// All vertices with a wide row, in order.
Vertex list_wide(const Context& context, const GraphView& graph, const GraphView& into, Vertex* list) {
  const Buffer<Vertex> count(1);
  const auto is_wide = [=] __device__(Vertex v) { return graph.degree(v) > kWideRow || into.degree(v) > kWideRow; };
  const thrust::counting_iterator<Vertex> numbers(0);
  std::size_t bytes = 0;
  check(cub::DeviceSelect::If(nullptr, bytes, numbers, list, count.data(), graph.order, ::cuda::proclaim_return_type<bool>(is_wide), context.stream()), "sizing a selection");
  const Buffer<unsigned char> scratch(bytes);
  check(cub::DeviceSelect::If(scratch.data(), bytes, numbers, list, count.data(), graph.order, ::cuda::proclaim_return_type<bool>(is_wide), context.stream()), "selecting");
  return context.value(count.data());
}

// The groups one after the other, so that their number makes no difference.
void add_up(const Context& context, std::size_t groups, std::size_t count, const double* parts, double* sums) {
  for_each(context, count, [=] __device__(std::size_t i) {
    double sum = sums[i];
    for (std::size_t g = 0; g < groups; ++g) sum += parts[g * count + i];
    sums[i] = sum;
  });
}

std::size_t most_wide(const GraphView& graph, const GraphView& into) { return std::min<std::size_t>(graph.order, graph.arcs / kWideRow + into.arcs / kWideRow + 2); }

}  // namespace

Flows::Flows(const Context& context, const GraphView& graph, const GraphView& into, std::size_t positions, std::function<bool()> interrupted)
    : context_(context), graph_(graph), into_(into), positions_(positions), interrupted_(std::move(interrupted)) {}

Flows::~Flows() = default;

std::uint64_t Flows::bytes_of_group(bool with_arcs) const {
  return std::uint64_t{graph_.order} * (3 * 256 + 4 * 4 + 3 * 8) + 4 * kGroup * most_wide(graph_, into_) + 16 * (std::uint64_t{graph_.order} + 4) + (with_arcs ? 16 * std::uint64_t{positions_} : 0) + (1 << 20);
}

void Flows::make_room(std::size_t groups, bool with_arcs) {
  const std::size_t order = graph_.order;
  if (control_.size() == 0) {
    wide_ = Buffer<Vertex>(most_wide(graph_, into_));
    wide_count_ = list_wide(context_, graph_, into_, wide_.data());
    weights_ = Buffer<double>(order);
    vertices_ = Buffer<double>(order);
    starts_ = Buffer<ulonglong2>(order + 4);
    sources_ = Buffer<Vertex>(kGroup * kMostGroups);
    control_ = Buffer<FlowControl>(1);
  }
  if (groups <= groups_ && (!with_arcs || along_.size() > 0)) return;
  groups_ = 0;                         // what there is goes first
  for (Buffer<double>* each : {&paths_, &share_, &through_, &along_, &arcs_}) *each = Buffer<double>();
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

void Flows::run(std::span<const Vertex> sources, std::size_t groups, bool with_arcs) {
  const std::size_t cells = groups * graph_.order;
  context_.upload(sources_.data(), sources);
  context_.fill_bytes(control_.data(), 0, 1);
  context_.fill_bytes(masks_.data(), 0, 4 * cells);
  context_.fill_bytes(through_.data(), 0, cells);
  if (with_arcs) context_.fill_bytes(along_.data(), 0, groups * positions_);
  unsigned* const masks = masks_.data();
  const FlowJob job{graph_, into_, sources_.data(), static_cast<unsigned>(sources.size()), static_cast<unsigned>(groups), weights_.data(), paths_.data(), share_.data(), through_.data(), with_arcs ? along_.data() : nullptr, positions_,
                    masks, {masks + cells, masks + 2 * cells, masks + 3 * cells}, entries_.data(), wide_entries_.data(), starts_.data(), wide_.data(), wide_count_, control_.data()};
  context_.launch_together(flow_kernel, kThreads, 0, job);
  add_up(context_, groups, graph_.order, through_.data(), vertices_.data());
  if (with_arcs) add_up(context_, groups, positions_, along_.data(), arcs_.data());
}

std::vector<Vertex> Flows::add(std::span<const Vertex> sources, std::span<const double> weights, const Graph& host_graph, std::uint64_t room, Flow& flow) {
  constexpr std::size_t kCells = 1 << 21;  // enough for the whole GPU
  const bool with_arcs = !flow.arcs.empty();
  const std::size_t wanted = std::min<std::size_t>({kMostGroups, (sources.size() + kGroup - 1) / kGroup, std::max<std::size_t>(1, kCells / graph_.order)});
  make_room(std::clamp<std::size_t>(room / bytes_of_group(with_arcs), 1, wanted), with_arcs);
  const std::size_t groups = groups_;
  context_.upload(weights_.data(), weights);
  context_.upload(vertices_.data(), std::span<const double>(flow.vertices));
  if (with_arcs) context_.fill_bytes(arcs_.data(), 0, positions_);
  std::vector<Vertex> left;
  for (std::size_t begin = 0; begin < sources.size(); begin += groups * kGroup) {
    if (interrupted_()) throw Interrupted();
    const auto part = sources.subspan(begin, std::min(groups * kGroup, sources.size() - begin));
    run(part, (part.size() + kGroup - 1) / kGroup, with_arcs);
    unsigned too_many[kMostGroups];
    context_.download(std::span<unsigned>(too_many), control_.data()->too_many);
    for (std::size_t i = 0; i < part.size(); ++i)
      if ((too_many[i / kGroup] >> i % kGroup & 1) != 0) left.push_back(part[i]);
  }
  context_.download(std::span<double>(flow.vertices), vertices_.data());
  if (with_arcs) add_arcs(host_graph, flow);
  return left;
}

// The rows of the GPU are padded and in another order: their targets say which arc is which.
void Flows::add_arcs(const Graph& host_graph, Flow& flow) const {
  std::vector<double> along(positions_);
  std::vector<Vertex> targets(positions_);
  std::vector<std::uint64_t> rows(graph_.order);
  context_.download(std::span<double>(along), arcs_.data());
  context_.download(std::span<Vertex>(targets), graph_.targets);
  context_.download(std::span<std::uint64_t>(rows), graph_.rows);
  for (Vertex v = 0; v < graph_.order; ++v) {
    const auto around = host_graph.neighbors(v);
    const EdgeOffset begin = rows[v] >> GraphView::kDegreeBits;
    for (std::size_t k = 0; k < around.size(); ++k) {
      const auto where = static_cast<std::size_t>(std::lower_bound(around.begin(), around.end(), targets[begin + k]) - around.begin());
      flow.arcs[host_graph.offsets()[v] + where] += along[begin + k];
    }
  }
}

}  // namespace antipode::cuda
