// The small parts that the CUDA kernels are made of, each by itself; skipped where there is no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "engine/cuda/device/bitmap.hpp"
#include "engine/cuda/device/reduce.hpp"
#include "engine/cuda/device/warp.hpp"
#include "engine/cuda/engine.hpp"
#include "engine/cuda/layout/packed_adjacency.hpp"

namespace antipode::testing {

using namespace cuda;

__global__ void inclusive_sum_kernel(const unsigned* values, unsigned* sums) {
  sums[threadIdx.x] = inclusive_sum(values[threadIdx.x]);
}

__global__ void warp_counter_kernel(unsigned* before, unsigned* total) {
  __shared__ WarpCounter counter;
  if (threadIdx.x == 0) counter.clear();
  __syncthreads();
  const unsigned was = counter.add(threadIdx.x / kWarp + 1);
  if (threadIdx.x % kWarp == 0) before[threadIdx.x / kWarp] = was;
  __syncthreads();
  if (threadIdx.x == 0) *total = counter.value();
}

__global__ void bitmap_kernel(const unsigned* bitmap, unsigned count, unsigned char* found) {
  if (threadIdx.x < count) found[threadIdx.x] = is_in(bitmap, threadIdx.x) ? 1 : 0;
}

__global__ void adjacency_kernel(GraphView graph, Vertex* degrees, Vertex* first) {
  const Vertex v = threadIdx.x;
  if (v >= graph.order) return;
  degrees[v] = graph.degree(v);
  first[v] = graph.degree(v) == 0 ? v : graph.targets[graph.begin(v)];
}

__global__ void signal_kernel(unsigned* answer, unsigned value, Signal signal) {
  *answer = value;
  signal.give();
}

class CudaBlocks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::info().usable) GTEST_SKIP() << cuda::info().detail;
    context_ = std::make_unique<Context>();
  }
  template <class T>
  std::vector<T> downloaded(const Buffer<T>& buffer) const {
    std::vector<T> result(buffer.size());
    context_->download(std::span<T>(result), static_cast<const T*>(buffer.data()));
    return result;
  }
  std::unique_ptr<Context> context_;
};

TEST_F(CudaBlocks, sums_over_a_warp_include_the_thread_itself) {
  std::vector<unsigned> values(kWarp), expected(kWarp);
  for (unsigned i = 0; i < kWarp; ++i) values[i] = i * i % 7;
  std::partial_sum(values.begin(), values.end(), expected.begin());
  const Buffer<unsigned> in(kWarp), out(kWarp);
  context_->upload(in.data(), std::span<const unsigned>(values));
  inclusive_sum_kernel<<<1, kWarp, 0, context_->stream()>>>(in.data(), out.data());
  EXPECT_EQ(downloaded(out), expected);
}

TEST_F(CudaBlocks, a_warp_counter_adds_once_for_each_warp) {
  constexpr unsigned kWarps = 16;
  const Buffer<unsigned> before(kWarps), total(1);
  warp_counter_kernel<<<1, kWarps * kWarp, 0, context_->stream()>>>(before.data(), total.data());
  EXPECT_EQ(downloaded(total).front(), kWarps * (kWarps + 1) / 2);
  std::vector<unsigned> seen = downloaded(before);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen.front(), 0u);
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());  // all different
}

TEST_F(CudaBlocks, bitmaps_hold_what_was_set) {
  const std::vector<unsigned> words{0x80000001u, 0x0000FF00u};
  const Buffer<unsigned> bitmap(words.size());
  const Buffer<unsigned char> found(64);
  context_->upload(bitmap.data(), std::span<const unsigned>(words));
  bitmap_kernel<<<1, 64, 0, context_->stream()>>>(bitmap.data(), 64, found.data());
  const auto bits = downloaded(found);
  for (unsigned v = 0; v < 64; ++v) EXPECT_EQ(bits[v], words[v / 32] >> v % 32 & 1) << v;
}

struct Larger {
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a < b ? b : a; }
};
struct Scrambled {
  __host__ __device__ unsigned operator()(Vertex v) const { return v * 2654435761u; }
};
struct Divisible {
  __device__ bool operator()(Vertex v) const { return Scrambled()(v) % 3 == 0; }
};

TEST_F(CudaBlocks, reductions_agree_with_the_host_for_any_count) {
  Reducer reducer(*context_);
  for (const Vertex count : {1u, 255u, 256u, 257u, 100'000u}) {
    unsigned expected = 0;
    std::vector<Vertex> chosen;
    for (Vertex v = 0; v < count; ++v) {
      expected = std::max(expected, Scrambled()(v));
      if (Scrambled()(v) % 3 == 0) chosen.push_back(v);
    }
    EXPECT_EQ(reducer.reduce(count, 0u, Larger(), Scrambled()), expected) << count;
    EXPECT_EQ(reducer.indices_where(count, Divisible()), chosen) << count;
  }
}

TEST_F(CudaBlocks, a_signal_brings_the_answer_before_the_stream_is_waited_for) {
  auto* const answer = static_cast<unsigned*>(context_->pinned());
  for (unsigned value = 1; value <= 100; ++value) {
    const Signal signal = context_->next_signal();
    signal_kernel<<<1, 1, 0, context_->stream()>>>(answer, value, signal);
    context_->await(signal);
    ASSERT_EQ(*static_cast<volatile unsigned*>(answer), value);
  }
}

TEST_F(CudaBlocks, answer_slots_do_not_overlap) {
  const auto at = [&](AnswerSlot slot) { return static_cast<char*>(context_->pinned(slot)); };
  EXPECT_EQ(at(AnswerSlot::second_search) - at(AnswerSlot::search), Context::kPinned);
  EXPECT_EQ(at(AnswerSlot::path) - at(AnswerSlot::look_ahead), Context::kPinned);
  EXPECT_EQ(static_cast<char*>(context_->pinned_for_batch()) - at(AnswerSlot::path),
            Context::kPinned);
  EXPECT_EQ(static_cast<char*>(context_->pinned_behind_search()) - at(AnswerSlot::search),
            Context::kSearchAnswerBytes);
}

TEST_F(CudaBlocks, the_graph_on_the_gpu_has_the_hosts_degrees_and_pads_with_the_vertex_itself) {
  for (const std::string spec : {"star?n=70", "path?n=33", "complete?n=9", "er?n=60&degree=2"}) {
    const Graph graph = generate(spec).graph;
    const DeviceGraph device(*context_, graph);
    const Buffer<Vertex> degrees(graph.order()), first(graph.order());
    adjacency_kernel<<<1, 128, 0, context_->stream()>>>(device.view(), degrees.data(),
                                                        first.data());
    const auto found = downloaded(degrees), neighbour = downloaded(first);
    for (Vertex v = 0; v < graph.order(); ++v) {
      EXPECT_EQ(found[v], graph.degree(v)) << spec << " " << v;
      if (graph.degree(v) == 0) {
        EXPECT_EQ(neighbour[v], v);
      } else {
        const auto around = graph.neighbors(v);
        EXPECT_TRUE(std::binary_search(around.begin(), around.end(), neighbour[v])) << spec;
      }
    }
  }
}

TEST_F(CudaBlocks, backtracking_on_packed_neighbours_finds_a_shortest_path) {
  const Graph graph = generate("grid?rows=9&cols=13").graph;
  ASSERT_TRUE(has_low_degrees(graph));
  const DeviceGraph device(*context_, graph);
  const Buffer<uint4> halves = pack_adjacency(*context_, device.view());
  std::vector<Distance> distances(graph.order());  // in a grid, by coordinates
  for (Vertex v = 0; v < graph.order(); ++v)
    distances[v] = v / 13 + (v % 13 > 5 ? v % 13 - 5 : 5 - v % 13);
  const Buffer<Distance> there(graph.order());
  context_->upload(there.data(), std::span<const Distance>(distances));
  for (const Vertex to : {5u, 6u, 116u, 0u}) {
    const auto path =
        backtrack(*context_, device.view(), {halves.data(), graph.order()}, there.data(), to);
    ASSERT_EQ(path.size(), distances[to] + 1u);
    EXPECT_EQ(path.front(), 5u);
    EXPECT_EQ(path.back(), to);
  }
  EXPECT_FALSE(has_low_degrees(generate("star?n=100").graph));
}

}  // namespace antipode::testing
