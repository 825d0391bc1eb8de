#include "engine/cuda/context.hpp"

#include <algorithm>
#include <atomic>

#include "antipode/error.hpp"
#include "engine/cuda/engine.hpp"

namespace antipode::cuda {

namespace {

std::atomic<std::int64_t> allocations_until_failure{-1};
std::atomic<std::uint64_t> allocations{0};

bool fails_now() {
  ++allocations;
  std::int64_t left = allocations_until_failure.load();
  while (left >= 0 && !allocations_until_failure.compare_exchange_weak(left, left - 1)) {
  }
  return left == 0;
}

}  // namespace

std::uint64_t fail_allocation_after(std::int64_t count) {
  allocations_until_failure = count;
  return allocations;
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // an error that can be got over is not to be met again by the next call
  throw DeviceError(std::string("CUDA: ") + what + ": " + cudaGetErrorString(status));
}

void* allocate_bytes(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* data = nullptr;
  const cudaError_t status = fails_now() ? cudaErrorMemoryAllocation : cudaMalloc(&data, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    throw DeviceError("the GPU has no room for another " + std::to_string(bytes) + " bytes; " + std::to_string(free) + " of its " + std::to_string(total) + " are free");
  }
  check(status, "allocating memory");
  return data;
}

void free_bytes(void* data) noexcept {
  if (data != nullptr) cudaFree(data);
}

Context::Context() {
  int device = 0;
  check(cudaGetDevice(&device), "choosing a GPU");
  check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device), "asking the GPU for its size");
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  const cudaError_t status = fails_now() ? cudaErrorMemoryAllocation : cudaMallocHost(&pinned_, kPinned);
  if (status != cudaSuccess) cudaStreamDestroy(stream_);
  check(status, "pinning memory");
}

Context::~Context() {
  cudaStreamSynchronize(stream_);
  cudaFreeHost(pinned_);
  cudaStreamDestroy(stream_);
}

unsigned Context::blocks_for(std::size_t items, unsigned threads) const {
  constexpr std::size_t kResidentThreads = 2048;
  const std::size_t most = static_cast<std::size_t>(multiprocessors_) * (kResidentThreads / threads);
  return static_cast<unsigned>(std::clamp<std::size_t>((items + threads - 1) / threads, 1, most));
}

}  // namespace antipode::cuda
