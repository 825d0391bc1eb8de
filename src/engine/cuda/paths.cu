#include "engine/cuda/paths.hpp"

#include <algorithm>

#include "engine/cuda/warp.hpp"

namespace antipode::cuda {

struct PathControl {
  SearchEnds ends;
  unsigned skips;
};

namespace {

constexpr unsigned kThreads = 768;
constexpr Vertex kNobody = kNoVertex;

// A path on its way to the host, if it is not too long for that.
struct PathAnswer {
  static constexpr Distance kMost = 1024;
  Distance length;                           // kUnreached: there is none
  Vertex path[kMost + 1];
};
static_assert(sizeof(PathAnswer) <= Context::kPinned);

struct PathJob {
  GraphView into;
  const Distance* distances;
  const SearchEnds* ends;                    // null: the path goes to …
  Vertex to;
  const unsigned* skips;                     // null: it is wanted
  PathControl* control;                      // null: nobody wants its middle
  PathAnswer* answer;                        // in the host's memory
  Vertex* long_path;                         // null: a path that is too long for the answer is not wanted
  unsigned known_count;
  Vertex known[Paths::kMostKnown + 1];

  __device__ void middle_is(Vertex v) const {
    bool is_known = ends != nullptr && ends->source == v;
    for (unsigned i = 0; i < known_count; ++i) is_known |= known[i] == v;
    control->ends.farthest = v;
    control->skips = is_known ? 1 : 0;
  }
};

// One warp walks: four lanes have a neighbour each, which most often is the next one, and what must be known to go on from it is asked for together with its
// distance. Longer rows are looked through by the whole block.
__global__ void __launch_bounds__(kThreads) path_kernel(const __grid_constant__ PathJob job) {
  __shared__ Vertex reached;
  __shared__ Distance left;                  // steps
  __shared__ unsigned first;                 // neighbour that is nearer
  const GraphView& graph = job.into;
  if (threadIdx.x == 0 && job.control != nullptr) job.control->skips = 1;  // until there is a middle
  const bool is_skipped = job.skips != nullptr && *job.skips != 0;
  Vertex at = job.ends == nullptr ? job.to : job.ends->farthest;
  const Distance length = is_skipped ? kUnreached : job.distances[at];
  if (threadIdx.x == 0) job.answer->length = length;
  if (length == kUnreached) return;
  Vertex* const path = length <= PathAnswer::kMost ? job.answer->path : job.long_path;
  if (path == nullptr) return;
  const auto note = [&](Distance d, Vertex v) {
    if (threadIdx.x != 0) return;
    path[d] = v;
    if (job.control != nullptr && d == (length + 1) / 2) job.middle_is(v);
  };
  Distance d = length;
  while (true) {
    if (threadIdx.x < kWarp) {
      note(d, at);
      Vertex u = reinterpret_cast<const Vertex*>(graph.heads)[4 * std::size_t{at} + lane() % 4];
      while (d > 0) {
        const uint4 head = graph.heads[u];
        const unsigned nearer = __ballot_sync(~0u, lane() < 4 && job.distances[u] + 1 == d);
        if (nearer == 0) break;
        const unsigned who = __ffs(nearer) - 1;
        at = __shfl_sync(~0u, u, who);
        const Vertex next[4] = {__shfl_sync(~0u, head.x, who), __shfl_sync(~0u, head.y, who), __shfl_sync(~0u, head.z, who), __shfl_sync(~0u, head.w, who)};
        u = lane() % 4 == 0 ? next[0] : lane() % 4 == 1 ? next[1] : lane() % 4 == 2 ? next[2] : next[3];
        note(--d, at);
      }
      if (lane() == 0) reached = at, left = d, first = kNobody;
    }
    __syncthreads();
    at = reached;
    d = left;
    if (d == 0) return;
    const GraphView::Row row = graph.row(at);
    for (Vertex begin = 0; begin < row.degree; begin += kThreads) {
      const Vertex i = begin + threadIdx.x;
      if (i < row.degree && job.distances[graph.targets[row.begin + i]] + 1 == d) atomicMin(&first, i);
      __syncthreads();
      const bool found = first != kNobody;   // for all threads alike
      __syncthreads();
      if (found) break;
    }
    at = graph.targets[row.begin + first];
    --d;
    __syncthreads();                         // all know it
  }
}

void launch(const PathJob& job, cudaStream_t stream) {
  path_kernel<<<1, kThreads, 0, stream>>>(job);
  check(cudaGetLastError(), "launching a kernel");
}

}  // namespace

Paths::Paths(const Context& context, const GraphView& into) : context_(context), into_(into), control_(1) {}

Paths::~Paths() { cudaStreamSynchronize(context_.side_stream()); }

std::vector<Vertex> Paths::walk(const RowView& row, Vertex to) {
  auto* const answer = static_cast<PathAnswer*>(context_.pinned(2));
  if (is_ahead(row, to)) {
    after_.wait();
  } else {
    join();
    launch({into_, row.data, nullptr, to, nullptr, nullptr, answer, nullptr, 0, {}}, context_.stream());
    context_.finish();
    ahead_ = {};
  }
  if (answer->length == kUnreached) return {};
  if (auto path = outcome()) return *path;
  const std::size_t count = std::size_t{answer->length} + 1;
  if (long_path_.size() < count) long_path_ = Buffer<Vertex>(count);
  launch({into_, row.data, nullptr, to, nullptr, nullptr, answer, long_path_.data(), 0, {}}, context_.stream());
  std::vector<Vertex> result(count);
  context_.download(std::span<Vertex>(result), long_path_.data());
  return result;
}

Paths::Middle Paths::start(const RowView& row, Vertex to, std::span<const Vertex> known) {
  join();
  const Middle middle{&control_.data()->ends, &control_.data()->skips};
  if (is_ahead(row, to) && std::all_of(known.begin(), known.end(), [&](Vertex v) { return v == ahead_.first || v == ahead_.source; }) && known.size() == 2) return middle;
  PathJob job{into_, row.data, nullptr, to, nullptr, control_.data(), static_cast<PathAnswer*>(context_.pinned(2)), nullptr, static_cast<unsigned>(known.size()), {}};
  std::copy(known.begin(), known.end(), job.known);
  launch(job, context_.stream());
  ahead_ = {};
  return middle;
}

std::optional<std::vector<Vertex>> Paths::outcome() const {
  const PathAnswer& answer = *static_cast<const PathAnswer*>(context_.pinned(2));
  if (answer.length > PathAnswer::kMost) return std::nullopt;
  return std::vector<Vertex>(answer.path, answer.path + answer.length + 1);
}

void Paths::start_ahead(const RowView& row, const SearchEnds* ends, const unsigned* skips, Vertex first) {
  before_.record(context_.stream());
  before_.hold(context_.side_stream());
  launch({into_, row.data, ends, kNoVertex, skips, control_.data(), static_cast<PathAnswer*>(context_.pinned(2)), nullptr, 1, {first}}, context_.side_stream());
  after_.record(context_.side_stream());
  ahead_ = {row.serial, first, kNoVertex, kNoVertex, false};
}

void Paths::name_ends(Vertex source, Vertex farthest) {
  ahead_.source = source;
  ahead_.farthest = farthest;
}

void Paths::join() {
  if (!ahead_.is_joined) after_.hold(context_.stream());
  ahead_.is_joined = true;
}

}  // namespace antipode::cuda
