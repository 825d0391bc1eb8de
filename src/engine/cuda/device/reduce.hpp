// Reductions over values computed on the fly for the numbers 0 … count-1. CUB reduces within a
// block; the last block to finish combines the partial results and writes the result to pinned
// memory. One launch, one wait. Memory: 9 KiB, and 4 bytes per number for indices_where().
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/functional>

#include "engine/cuda/device/context.hpp"

namespace antipode::cuda {

template <class T, class Fold, class Value>
__global__ void __launch_bounds__(Context::kThreads)
    reduce_kernel(Vertex count, T first, Fold fold, Value value, T* partial, unsigned* done,
                  T* result, Signal signal) {
  using Block = cub::BlockReduce<T, Context::kThreads>;
  __shared__ typename Block::TempStorage storage;
  __shared__ bool last;
  T mine = first;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    mine = fold(mine, value(static_cast<Vertex>(i)));
  mine = Block(storage).Reduce(mine, fold);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;  // wraps to zero for the next reduction
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  mine = first;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) mine = fold(mine, partial[b]);
  __syncthreads();
  mine = Block(storage).Reduce(mine, fold);
  if (threadIdx.x != 0) return;
  *result = mine;
  signal.give();
}

class Reducer {
 public:
  explicit Reducer(const Context& context)
      : context_(context), done_(1), partial_(kMostBlocks * kLargest) {
    context.fill_bytes(done_.data(), 0, 1);
  }

  // fold(… fold(first, value(0)) …), in any order: fold must be associative and commutative.
  template <class T, class Fold, class Value>
  T reduce(Vertex count, T first, Fold fold, Value value) {
    static_assert(sizeof(T) <= kLargest);
    T* const result = static_cast<T*>(context_.pinned());
    const unsigned blocks = std::min(context_.blocks_for(count), kMostBlocks);
    const Signal signal = context_.next_signal();
    reduce_kernel<<<blocks, Context::kThreads, 0, context_.stream()>>>(
        count, first, fold, value, reinterpret_cast<T*>(partial_.data()), done_.data(), result,
        signal);
    check(cudaGetLastError(), "launching a reduction");
    context_.await(signal);
    return *result;
  }

  // The numbers below `count` for which the predicate holds, in increasing order.
  template <class Predicate>
  std::vector<Vertex> indices_where(Vertex count, Predicate holds_on_device) {
    const auto holds = ::cuda::proclaim_return_type<bool>(holds_on_device);
    Vertex* found = reinterpret_cast<Vertex*>(partial_.data());
    const thrust::counting_iterator<Vertex> numbers(0);
    if (list_.size() < count) list_ = Buffer<Vertex>(count);
    std::size_t bytes = 0;
    check(cub::DeviceSelect::If(nullptr, bytes, numbers, list_.data(), found, count, holds,
                                context_.stream()),
          "sizing a selection");
    if (scratch_.size() < bytes) scratch_ = Buffer<unsigned char>(bytes);
    check(cub::DeviceSelect::If(scratch_.data(), bytes, numbers, list_.data(), found, count, holds,
                                context_.stream()),
          "selecting");
    std::vector<Vertex> result(context_.value(found));
    context_.download(std::span<Vertex>(result), list_.data());
    return result;
  }

 private:
  static constexpr std::size_t kLargest = 32;  // bytes of a value
  static constexpr unsigned kMostBlocks = 264;

  const Context& context_;
  Buffer<unsigned> done_;
  Buffer<unsigned char> partial_, scratch_;
  Buffer<Vertex> list_;
};

}  // namespace antipode::cuda
