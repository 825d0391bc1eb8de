// Busy-Wait: a block scans its section of F only if a vertex of it was found in the last level. The
// thread that finds v marks block (v / TB) mod B, with TB threads per block and B blocks (equation
// 1). A block reads its mark once at the start of a level, without polling.
#include "engine/cuda/paper/variant.hpp"

namespace antipode::cuda {

namespace {

template <class Lists>
__global__ void busy_wait_kernel(Lists lists, Distance* F, Distance level, LevelReport* report,
                                 const Distance* A, Distance* next) {
  if (A[blockIdx.x] != level) return;
  bool changed = false;
  unsigned active = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < lists.order;
       i += std::size_t{gridDim.x} * blockDim.x) {
    if (F[i] != level) continue;
    ++active;
    const Vertex* const list = lists.begin(static_cast<Vertex>(i));
    for (Vertex j = 0, size = lists.size(static_cast<Vertex>(i)); j < size; ++j) {
      const Vertex u = list[j];
      if (F[u] != kUnreached) continue;
      F[u] = level + 1;
      next[u / blockDim.x % gridDim.x] = level + 1;
      changed = true;
    }
  }
  if (changed) report->deepest = level + 1;
  if (active != 0) atomicAdd(&report->active, active);
}

// At level 0 every block scans, since the source may be anywhere. Two sets of marks alternate: in
// one, a mark could be overwritten for the next level before its block has read it.
class BusyWait final : public Variant {
 public:
  BusyWait(const Context& context, const PaddedGraph& graph)
      : context_(context),
        graph_(graph),
        blocks_(context.blocks_for(graph.lists().order)),
        marks_(2 * std::size_t{blocks_}) {}

  void level(Distance* F, Distance level, const LevelReport&, LevelReport* report) override {
    if (level == 0) context_.fill_bytes(marks_.data(), 0, marks_.size());
    Distance *const now = marks_.data() + level % 2 * blocks_, *const next =
                                                                   marks_.data() +
                                                                   (level + 1) % 2 * blocks_;
    graph_.visit([&](const auto& lists) {
      busy_wait_kernel<<<blocks_, Context::kThreads, 0, context_.stream()>>>(lists, F, level,
                                                                             report, now, next);
      check(cudaGetLastError(), "launching a kernel");
    });
  }

 private:
  const Context& context_;
  const PaddedGraph& graph_;
  unsigned blocks_;
  Buffer<Distance> marks_;
};

}  // namespace

std::unique_ptr<Variant> busy_wait(const Context& context, const PaddedGraph& graph) {
  return std::make_unique<BusyWait>(context, graph);
}

}  // namespace antipode::cuda
