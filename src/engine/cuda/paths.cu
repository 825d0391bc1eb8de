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
constexpr unsigned kTurn = 3;                // after those of searches

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
  __shared__ Vertex short_path[PathAnswer::kMost + 1];
  __shared__ Distance length, left;          // steps in all, and still to go
  __shared__ unsigned first;                 // neighbour that is nearer
  const GraphView& graph = job.into;
  const Vertex to = job.ends == nullptr ? job.to : job.ends->farthest;
  if (threadIdx.x == 0) {                    // what others may write meanwhile is read once
    if (job.control != nullptr) job.control->skips = 1;  // until there is a middle
    length = job.skips != nullptr && *job.skips != 0 ? kUnreached : job.distances[to];
    job.answer->length = length;
  }
  __syncthreads();
  if (length == kUnreached) return;
  const bool is_short = length <= PathAnswer::kMost;
  if (!is_short && job.long_path == nullptr) return;
  Vertex* const path = is_short ? short_path : job.long_path;  // [d]: the vertex at distance d
  if (threadIdx.x == 0) path[length] = to;
  __syncthreads();
  for (Distance d = length; d > 0;) {
    if (threadIdx.x < kWarp) {
      Vertex u = reinterpret_cast<const Vertex*>(graph.heads)[4 * std::size_t{path[d]} + lane() % 4];
      for (; d > 0; --d) {
        const uint4 head = graph.heads[u];
        const unsigned nearer = __ballot_sync(~0u, lane() < 4 && job.distances[u] + 1 == d);
        if (nearer == 0) break;
        const unsigned who = __ffs(nearer) - 1;
        if (lane() == who) path[d - 1] = u;
        const Vertex next[4] = {__shfl_sync(~0u, head.x, who), __shfl_sync(~0u, head.y, who), __shfl_sync(~0u, head.z, who), __shfl_sync(~0u, head.w, who)};
        u = lane() % 4 == 0 ? next[0] : lane() % 4 == 1 ? next[1] : lane() % 4 == 2 ? next[2] : next[3];
      }
      if (lane() == 0) left = d, first = kNobody;
    }
    __syncthreads();
    d = left;
    if (d == 0) break;
    const GraphView::Row row = graph.row(path[d]);
    for (Vertex begin = 0; begin < row.degree; begin += kThreads) {
      const Vertex i = begin + threadIdx.x;
      if (i < row.degree && job.distances[graph.targets[row.begin + i]] + 1 == d) atomicMin(&first, i);
      __syncthreads();
      const bool found = first != kNobody;   // for all threads alike
      __syncthreads();
      if (found) break;
    }
    --d;
    if (threadIdx.x == 0) path[d] = graph.targets[row.begin + first];
    __syncthreads();
  }
  if (!is_short) return;
  if (threadIdx.x == 0 && job.control != nullptr) job.middle_is(path[(length + 1) / 2]);
  for (Distance d = threadIdx.x; d <= length; d += kThreads) job.answer->path[d] = path[d];
}

void launch(const PathJob& job, cudaStream_t stream) {
  path_kernel<<<1, kThreads, 0, stream>>>(job);
  check(cudaGetLastError(), "launching a kernel");
}

}  // namespace

Paths::Paths(const Context& context, const GraphView& into) : context_(context), into_(into), control_(1) {}

Paths::~Paths() = default;

std::vector<Vertex> Paths::walk(const RowView& row, Vertex to) {
  auto* const answer = static_cast<PathAnswer*>(context_.pinned(kTurn));
  const bool was_ahead = is_ahead(row, to);
  if (was_ahead) after_.wait();
  if (!was_ahead || answer->length == kUnreached) {  // or it was skipped
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
  const Middle middle = middle_ahead();
  if (is_ahead(row, to, known)) return middle;
  PathJob job{into_, row.data, nullptr, to, nullptr, control_.data(), static_cast<PathAnswer*>(context_.pinned(kTurn)), nullptr, static_cast<unsigned>(known.size()), {}};
  std::copy(known.begin(), known.end(), job.known);
  launch(job, context_.stream());
  ahead_ = {};
  return middle;
}

std::optional<std::vector<Vertex>> Paths::outcome() const {
  const PathAnswer& answer = *static_cast<const PathAnswer*>(context_.pinned(kTurn));
  if (answer.length > PathAnswer::kMost) return std::nullopt;
  return std::vector<Vertex>(answer.path, answer.path + answer.length + 1);
}

void Paths::start_ahead(const RowView& row, const SearchEnds* ends, const unsigned* skips, Vertex first) {
  before_.record(context_.stream());
  before_.hold(context_.side_stream());
  launch({into_, row.data, ends, kNoVertex, skips, control_.data(), static_cast<PathAnswer*>(context_.pinned(kTurn)), nullptr, 1, {first}}, context_.side_stream());
  after_.record(context_.side_stream());
  ahead_ = {row.serial, first, kNoVertex, kNoVertex, false};
}

Paths::Middle Paths::middle_ahead() {
  join();
  return {&control_.data()->ends, &control_.data()->skips};
}

bool Paths::is_ahead(const RowView& row, Vertex to, std::span<const Vertex> known) const {
  return is_ahead(row, to) && known.size() == 2 && std::all_of(known.begin(), known.end(), [&](Vertex v) { return v == ahead_.first || v == ahead_.source; });
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
