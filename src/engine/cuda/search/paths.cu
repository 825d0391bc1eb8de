#include "engine/cuda/search/paths.hpp"

#include <algorithm>

#include "engine/cuda/device/warp.hpp"

namespace antipode::cuda {

struct PathControl {
  SearchOutcome ends;
  unsigned cancel;
};

enum class Part { whole, far, near };  // of a path: beyond its middle, or up to it

// A path on its way to the host, if it is not too long for that.
struct PathAnswer {
  static constexpr Distance kMost = 1024;
  Distance length;  // kUnreached: there is none
  Vertex path[kMost + 1];
};
static_assert(sizeof(PathAnswer) <= Context::kPinned);

struct PathJob {
  GraphView into;
  const Distance* distances;
  const SearchOutcome* ends;  // null: the path goes to …
  Vertex to;
  Part part;
  PathControl* control;  // where its middle is, if it comes in parts
  PathAnswer* answer;    // in the host's memory
  Vertex* long_path;     // null: a path that is too long for the answer is not wanted
  unsigned known_count;
  Vertex known[Paths::kMostKnown + 1];

  __device__ void midpoint_is(Vertex v) const {
    bool is_known = ends != nullptr && ends->source == v;
    for (unsigned i = 0; i < known_count; ++i) is_known |= known[i] == v;
    control->ends.farthest = v;
    control->cancel = is_known ? 1 : 0;
  }
};

namespace {

constexpr unsigned kThreads = 768;

// One warp walks: four neighbours are looked at, of which one is the next most often, and their
// neighbours, a lane each, are asked for together with their distances. Longer rows are looked
// through by the whole block.
__global__ void __launch_bounds__(kThreads) path_kernel(const __grid_constant__ PathJob job) {
  __shared__ Vertex short_path[PathAnswer::kMost + 1];
  __shared__ Distance length, left;  // of the whole, and where the walk has come to
  __shared__ unsigned first;         // neighbour that is nearer
  const GraphView& graph = job.into;
  const Vertex to = job.ends == nullptr ? job.to : job.ends->farthest;
  if (threadIdx.x == 0) {  // what others may write meanwhile is read once
    if (job.part == Part::far) job.control->cancel = 1;  // until there is a middle
    length = job.distances[to];
    job.answer->length = length;
  }
  __syncthreads();
  if (length == kUnreached) return;
  const bool is_short = length <= PathAnswer::kMost;
  if (!is_short && job.long_path == nullptr) return;
  Vertex* const path = is_short ? short_path : job.long_path;  // [d]: the vertex at distance d
  const Distance middle = (length + 1) / 2, begin = job.part == Part::near ? middle : length,
                 end = job.part == Part::far ? middle : 0;
  if (threadIdx.x == 0) path[begin] = job.part == Part::near ? job.control->ends.farthest : to;
  __syncthreads();
  for (Distance d = begin; d > end;) {
    if (threadIdx.x < kWarp) {
      const Vertex* const heads = reinterpret_cast<const Vertex*>(graph.heads);
      const unsigned mine = lane() / 4 % 4;  // of the four
      Vertex u = heads[4 * std::size_t{path[d]} + mine];
      for (; d > end; --d) {
        const Vertex next = heads[4 * std::size_t{u} + lane() % 4];
        const unsigned nearer = __ballot_sync(~0u, job.distances[u] + 1 == d);
        if (nearer == 0) break;
        const unsigned who = (__ffs(nearer) - 1) / 4 * 4;
        if (lane() == who) path[d - 1] = u;
        u = __shfl_sync(~0u, next, who + mine);
      }
      if (lane() == 0) left = d, first = kNoVertex;
    }
    __syncthreads();
    d = left;
    if (d == end) break;
    const GraphView::Range row = graph.row(path[d]);
    for (Vertex first_here = 0; first_here < row.degree; first_here += kThreads) {
      const Vertex i = first_here + threadIdx.x;
      if (i < row.degree && job.distances[graph.targets[row.begin + i]] + 1 == d)
        atomicMin(&first, i);
      __syncthreads();
      const bool found = first != kNoVertex;  // for all threads alike
      __syncthreads();
      if (found) break;
    }
    if (first == kNoVertex) return;  // no row of distances looks like this
    --d;
    if (threadIdx.x == 0) path[d] = graph.targets[row.begin + first];
    __syncthreads();
  }
  if (!is_short) return;
  if (threadIdx.x == 0 && job.part == Part::far) job.midpoint_is(path[middle]);
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

std::vector<Vertex> Paths::walk(const DistanceView& row, Vertex to) {
  auto* const answer = static_cast<PathAnswer*>(context_.pinned(AnswerSlot::path));
  PathJob job{into_, row.data, nullptr, to, Part::whole, nullptr, answer, nullptr, 0, {}};
  if (is_ahead(row, to)) {
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

Paths::Midpoint Paths::start(const DistanceView& row, Vertex to, std::span<const Vertex> known) {
  if (is_ahead(row, to, known)) return midpoint_ahead();
  join();
  PathJob job{into_,
              row.data,
              nullptr,
              to,
              Part::far,
              control_.data(),
              static_cast<PathAnswer*>(context_.pinned(AnswerSlot::path)),
              nullptr,
              static_cast<unsigned>(known.size()),
              {}};
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

void Paths::start_ahead(const DistanceView& row, const SearchOutcome* ends, Vertex first) {
  before_.record(context_.stream());
  before_.hold(context_.side_stream());
  launch_parts({into_,
                row.data,
                ends,
                kNoVertex,
                Part::far,
                control_.data(),
                static_cast<PathAnswer*>(context_.pinned(AnswerSlot::path)),
                nullptr,
                1,
                {first}},
               context_.side_stream());
  ahead_ = {row.serial, first, kNoVertex, kNoVertex, false};
}

// The middle is known when the far part is there; the near one is walked beside what begins there.
void Paths::launch_parts(PathJob job, cudaStream_t stream) {
  launch(job, stream);
  halfway_.record(stream);
  halfway_.hold(context_.side_stream());
  job.part = Part::near;
  launch(job, context_.side_stream());
  after_.record(context_.side_stream());
}

Paths::Midpoint Paths::midpoint_ahead() {
  halfway_.hold(context_.stream());
  return {&control_.data()->ends, &control_.data()->cancel};
}

bool Paths::is_ahead(const DistanceView& row, Vertex to, std::span<const Vertex> known) const {
  return is_ahead(row, to) && known.size() == 2 &&
         std::all_of(known.begin(), known.end(),
                     [&](Vertex v) { return v == ahead_.first || v == ahead_.source; });
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
