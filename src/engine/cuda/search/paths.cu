#include "engine/cuda/search/paths.hpp"

#include <algorithm>

#include "engine/cuda/device/warp.hpp"

namespace antipode::cuda {

struct PathControl {
  SearchOutcome ends;
  unsigned cancel;
};

enum class PathSegment { whole, far, near };  // `far` is beyond the midpoint, `near` up to it

// Answer for the host, if the path is not too long.
struct PathAnswer {
  static constexpr Distance kMost = 1024;
  Distance length;  // kUnreached: no path
  Vertex path[kMost + 1];
};
static_assert(sizeof(PathAnswer) <= Context::kPinned);

struct PathJob {
  GraphView into;
  const Distance* distances;
  const SearchOutcome* ends;  // the path ends at their farthest vertex; null: …
  Vertex to;
  PathSegment part;
  PathControl* control;  // receives the midpoint, if the path comes in parts
  PathAnswer* answer;    // pinned
  Vertex* long_path;     // null: do not return a path too long for the answer
  unsigned known_count;
  Vertex known[Paths::kMostKnown + 1];

  __device__ void set_midpoint(Vertex v) const {
    bool is_known = ends != nullptr && ends->source == v;
    for (unsigned i = 0; i < known_count; ++i) is_known |= known[i] == v;
    control->ends.farthest = v;
    control->cancel = is_known ? 1 : 0;
  }
};

namespace {

constexpr unsigned kThreads = 768;

// One warp backtracks. It tests the first four neighbours, one of which is nearer in most cases,
// and meanwhile loads their own first neighbours. The whole block searches longer adjacencies.
__global__ void __launch_bounds__(kThreads) path_kernel(const __grid_constant__ PathJob job) {
  __shared__ Vertex short_path[PathAnswer::kMost + 1];
  __shared__ Distance length, remaining;  // length of the path; distance still to go
  __shared__ unsigned first;              // place of the first nearer neighbour
  const GraphView& graph = job.into;
  const Vertex to = job.ends == nullptr ? job.to : job.ends->farthest;
  if (threadIdx.x == 0) {  // values that other kernels may overwrite are read once
    if (job.part == PathSegment::far) job.control->cancel = 1;  // until the midpoint is known
    length = job.distances[to];
    job.answer->length = length;
  }
  __syncthreads();
  if (length == kUnreached) return;
  const bool is_short = length <= PathAnswer::kMost;
  if (!is_short && job.long_path == nullptr) return;
  // path[d] is the vertex at distance d
  Vertex* const path = is_short ? short_path : job.long_path;
  const Distance midpoint = (length + 1) / 2,
                 begin = job.part == PathSegment::near ? midpoint : length,
                 end = job.part == PathSegment::far ? midpoint : 0;
  if (threadIdx.x == 0)
    path[begin] = job.part == PathSegment::near ? job.control->ends.farthest : to;
  __syncthreads();
  for (Distance d = begin; d > end;) {
    if (threadIdx.x < kWarp) {
      const Vertex* const heads = reinterpret_cast<const Vertex*>(graph.heads);
      const unsigned mine = thread_of_warp() / 4 % 4;
      Vertex u = heads[4 * std::size_t{path[d]} + mine];
      for (; d > end; --d) {
        const Vertex next = heads[4 * std::size_t{u} + thread_of_warp() % 4];
        const unsigned nearer = __ballot_sync(~0u, job.distances[u] + 1 == d);
        if (nearer == 0) break;
        const unsigned winner = (__ffs(nearer) - 1) / 4 * 4;
        if (thread_of_warp() == winner) path[d - 1] = u;
        u = __shfl_sync(~0u, next, winner + mine);
      }
      if (thread_of_warp() == 0) remaining = d, first = kNoVertex;
    }
    __syncthreads();
    d = remaining;
    if (d == end) break;
    const GraphView::Range range = graph.range(path[d]);
    for (Vertex base = 0; base < range.degree; base += kThreads) {
      const Vertex i = base + threadIdx.x;
      if (i < range.degree && job.distances[graph.targets[range.begin + i]] + 1 == d)
        atomicMin(&first, i);
      __syncthreads();
      const bool found = first != kNoVertex;  // the same for all threads
      __syncthreads();
      if (found) break;
    }
    if (first == kNoVertex) return;  // not possible for distances of a search
    --d;
    if (threadIdx.x == 0) path[d] = graph.targets[range.begin + first];
    __syncthreads();
  }
  if (!is_short) return;
  if (threadIdx.x == 0 && job.part == PathSegment::far) job.set_midpoint(path[midpoint]);
  for (Distance d = end + threadIdx.x; d <= begin; d += kThreads) job.answer->path[d] = path[d];
}

void launch(const PathJob& job, cudaStream_t stream) {
  path_kernel<<<1, kThreads, 0, stream>>>(job);
  check(cudaGetLastError(), "launching a kernel");
}

}  // namespace

Paths::Paths(const Context& context, const GraphView& into)
    : context_(context), into_(into), control_(1) {}

Paths::~Paths() = default;

std::vector<Vertex> Paths::path_to(const DistanceView& distances, Vertex to) {
  auto* const answer = static_cast<PathAnswer*>(context_.pinned(AnswerSlot::path));
  PathJob job{.into = into_,
              .distances = distances.data,
              .ends = nullptr,
              .to = to,
              .part = PathSegment::whole,
              .control = nullptr,
              .answer = answer,
              .long_path = nullptr,
              .known_count = 0,
              .known = {}};
  if (is_ahead(distances, to)) {
    after_.wait();
  } else {
    join();
    launch(job, context_.stream());
    context_.finish();
    ahead_ = {};
  }
  if (answer->length == kUnreached) return {};
  if (auto path = outcome()) return *path;
  const std::size_t count = std::size_t{answer->length} + 1;
  if (long_path_.size() < count) long_path_ = Buffer<Vertex>(count);
  job.long_path = long_path_.data();
  launch(job, context_.stream());
  std::vector<Vertex> result(count);
  context_.download(std::span<Vertex>(result), long_path_.data());
  return result;
}

Paths::Midpoint Paths::start(const DistanceView& distances, Vertex to,
                             std::span<const Vertex> known) {
  if (is_ahead(distances, to, known)) return midpoint_ahead();
  join();
  PathJob job{.into = into_,
              .distances = distances.data,
              .ends = nullptr,
              .to = to,
              .part = PathSegment::far,
              .control = control_.data(),
              .answer = static_cast<PathAnswer*>(context_.pinned(AnswerSlot::path)),
              .long_path = nullptr,
              .known_count = static_cast<unsigned>(known.size()),
              .known = {}};
  std::copy(known.begin(), known.end(), job.known);
  launch_parts(job, context_.stream());
  ahead_ = {};
  ahead_.is_joined = false;
  return midpoint_ahead();
}

std::optional<std::vector<Vertex>> Paths::outcome() const {
  const PathAnswer& answer = *static_cast<const PathAnswer*>(context_.pinned(AnswerSlot::path));
  if (answer.length > PathAnswer::kMost) return std::nullopt;
  return std::vector<Vertex>(answer.path, answer.path + answer.length + 1);
}

void Paths::start_ahead(const DistanceView& distances, const SearchOutcome* ends, Vertex first) {
  before_.record(context_.stream());
  before_.make_wait(context_.side_stream());
  launch_parts({.into = into_,
                .distances = distances.data,
                .ends = ends,
                .to = kNoVertex,
                .part = PathSegment::far,
                .control = control_.data(),
                .answer = static_cast<PathAnswer*>(context_.pinned(AnswerSlot::path)),
                .long_path = nullptr,
                .known_count = 1,
                .known = {first}},
               context_.side_stream());
  ahead_ = {.serial = distances.serial,
            .first = first,
            .source = kNoVertex,
            .farthest = kNoVertex,
            .is_joined = false};
}

// The midpoint is known after the far part; the near part overlaps with the search from the
// midpoint.
void Paths::launch_parts(PathJob job, cudaStream_t stream) {
  launch(job, stream);
  halfway_.record(stream);
  halfway_.make_wait(context_.side_stream());
  job.part = PathSegment::near;
  launch(job, context_.side_stream());
  after_.record(context_.side_stream());
}

Paths::Midpoint Paths::midpoint_ahead() {
  halfway_.make_wait(context_.stream());
  return {&control_.data()->ends, &control_.data()->cancel};
}

bool Paths::is_ahead(const DistanceView& distances, Vertex to,
                     std::span<const Vertex> known) const {
  return is_ahead(distances, to) && known.size() == 2 &&
         std::all_of(known.begin(), known.end(),
                     [&](Vertex v) { return v == ahead_.first || v == ahead_.source; });
}

void Paths::set_ends(Vertex source, Vertex farthest) {
  ahead_.source = source;
  ahead_.farthest = farthest;
}

void Paths::join() {
  if (!ahead_.is_joined) after_.make_wait(context_.stream());
  ahead_.is_joined = true;
}

}  // namespace antipode::cuda
