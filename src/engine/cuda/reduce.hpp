// Reductions by CUB over values computed on the fly from the numbers 0 … count-1.
#pragma once

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>

#include "engine/cuda/context.hpp"

namespace antipode::cuda {

class Reducer {
 public:
  explicit Reducer(const Context& context) : context_(context), result_(kResult) {}

  // fold(… fold(first, value(0)) …); the order must not matter.
  template <class T, class Fold, class Value>
  T reduce(Vertex count, T first, Fold fold, Value value_on_device) {
    static_assert(sizeof(T) <= kResult);
    const auto value = ::cuda::proclaim_return_type<T>(value_on_device);
    T* result = reinterpret_cast<T*>(result_.data());
    const thrust::counting_iterator<Vertex> numbers(0);
    std::size_t bytes = 0;
    check(cub::DeviceReduce::TransformReduce(nullptr, bytes, numbers, result, count, fold, value, first, context_.stream()), "sizing a reduction");
    reserve(bytes);
    check(cub::DeviceReduce::TransformReduce(scratch_.data(), bytes, numbers, result, count, fold, value, first, context_.stream()), "reducing");
    return context_.value(result);
  }

  template <class Predicate>
  Vertex count(Vertex among, Predicate holds) {
    return reduce(among, Vertex{0}, ::cuda::std::plus<Vertex>{}, holds);
  }

  // The numbers for which holds(i), in rising order.
  template <class Predicate>
  std::vector<Vertex> those(Vertex among, Predicate holds_on_device) {
    const auto holds = ::cuda::proclaim_return_type<bool>(holds_on_device);
    Vertex* found = reinterpret_cast<Vertex*>(result_.data());
    const thrust::counting_iterator<Vertex> numbers(0);
    if (list_.size() < among) list_ = Buffer<Vertex>(among);
    std::size_t bytes = 0;
    check(cub::DeviceSelect::If(nullptr, bytes, numbers, list_.data(), found, among, holds, context_.stream()), "sizing a selection");
    reserve(bytes);
    check(cub::DeviceSelect::If(scratch_.data(), bytes, numbers, list_.data(), found, among, holds, context_.stream()), "selecting");
    std::vector<Vertex> result(context_.value(found));
    context_.download(std::span<Vertex>(result), list_.data());
    return result;
  }

 private:
  static constexpr std::size_t kResult = 64;

  void reserve(std::size_t bytes) {
    if (scratch_.size() < bytes) scratch_ = Buffer<unsigned char>(bytes);
  }

  const Context& context_;
  Buffer<unsigned char> result_, scratch_;
  Buffer<Vertex> list_;
};

}  // namespace antipode::cuda
