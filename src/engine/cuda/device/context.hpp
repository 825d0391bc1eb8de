// What all parts of the CUDA engine share: checked calls, a stream, memory that frees itself,
// numbers that come back. Buffers own; kernels get plain pointers into them (views), which never
// leave this room.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode::cuda {

// Every CUDA call goes through here: a failure becomes a DeviceError that names what was attempted.
void check(cudaError_t status, const char* what);

void* allocate_bytes(std::size_t bytes);  // DeviceError with the bytes wanted and the bytes free
std::uint64_t free_memory();
int attribute(cudaDeviceAttr what);                       // of the GPU
void free_bytes(void* data, std::size_t bytes) noexcept;  // the GPU must be done with it

template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t count)
      : data_(static_cast<T*>(allocate_bytes(count * sizeof(T)))), count_(count) {}
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Buffer() { free_bytes(data_, count_ * sizeof(T)); }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

// A moment in a stream.
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "recording an event"); }
  void wait() { check(cudaEventSynchronize(event_), "waiting for the GPU"); }
  void hold(cudaStream_t stream) {
    check(cudaStreamWaitEvent(stream, event_), "waiting for the GPU");
  }  // what is started there comes after it

 private:
  cudaEvent_t event_ = nullptr;
};

// How a kernel says that its answer is in the host's memory: the host need not wait until the
// kernel has ended.
struct Signal {
  unsigned* word = nullptr;  // in the host's memory
  unsigned serial = 0;

  // By the thread that has written the answer, or has met those who did at a barrier, or has
  // counted them, each behind a fence of the system.
  __device__ void give() const {
    __threadfence_system();
    *static_cast<volatile unsigned*>(word) = serial;
  }
};

// Where answers lie in pinned memory. Requests whose answers are there at the same time have
// different slots.
enum class AnswerSlot : unsigned {
  search,         // of any request that is waited for at once
  second_search,  // of a double sweep
  look_ahead,     // the search from a midpoint that was not requested yet
  path            // backtracked beside a search
};
inline constexpr std::size_t kAnswerSlots = 4, kSearchSlots = 3;  // the last one has no search

// A stream of its own, and a little pinned memory through which results come back.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  cudaStream_t stream() const { return stream_; }
  cudaStream_t side_stream() const { return side_stream_; }  // for what may go on beside
  int multiprocessors() const { return multiprocessors_; }
  std::size_t cache_bytes() const {
    return static_cast<std::size_t>(cache_bytes_);
  }  // shared by all multiprocessors
  std::size_t shared_bytes() const {
    return static_cast<std::size_t>(shared_bytes_);
  }  // that a block may have …
  std::size_t shared_bytes_in_all() const {
    return static_cast<std::size_t>(shared_bytes_in_all_);
  }  // … and all of a multiprocessor, 1024 each of which are not theirs
  void finish() const { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }
  Signal next_signal() const { return {signal_word(), ++last_signal_}; }
  void await(const Signal& signal) const;  // or one given later

  template <class T>
  void upload(T* to, std::span<const T> from) const {
    if (from.empty()) return;
    check(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream_),
          "copying to the GPU");
  }
  template <class T>
  void download(std::span<T> to, const T* from) const {
    if (to.empty()) return;
    check(cudaMemcpyAsync(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost, stream_),
          "copying from the GPU");
    finish();
  }
  // One small value, through pinned memory.
  template <class T>
  T value(const T* from) const {
    static_assert(sizeof(T) <= kPinned);
    check(cudaMemcpyAsync(pinned_, from, sizeof(T), cudaMemcpyDeviceToHost, stream_),
          "copying from the GPU");
    finish();
    return *static_cast<const T*>(pinned_);
  }
  template <class T>
  void fill_bytes(T* data, int byte, std::size_t count) const {
    check(cudaMemsetAsync(data, byte, count * sizeof(T), stream_), "filling memory");
  }

  // A buffer for at least so many; what it held is lost. The last kernel may still read the smaller
  // one.
  template <class T>
  void make_room(Buffer<T>& buffer, std::size_t count) const {
    if (buffer.size() >= count) return;
    finish();
    buffer = Buffer<T>(count);
  }

  // Memory of the host that kernels can write to: kPinned bytes for each slot. What follows a
  // search without a wait has its answer behind the search's.
  void* pinned(AnswerSlot slot = AnswerSlot::search) const {
    return static_cast<char*>(pinned_) + static_cast<std::size_t>(slot) * kPinned;
  }
  void* pinned_behind_search(AnswerSlot slot = AnswerSlot::search) const {
    return static_cast<char*>(pinned(slot)) + kSearchAnswerBytes;
  }
  // kPinnedForBatch bytes: what many searches have found.
  void* pinned_for_batch() const { return static_cast<char*>(pinned_) + kAnswerSlots * kPinned; }

  // Launches with as many blocks as the items need, at most as many as are resident at once.
  unsigned blocks_for(std::size_t items, unsigned threads = kThreads) const;
  // A cooperative launch of one block a multiprocessor, or of as many as there are parts: all are
  // resident, so that they can wait for each other.
  template <class Kernel, class... Arguments>
  void launch_together(Kernel kernel, unsigned threads, std::size_t shared_bytes,
                       Arguments... arguments) const {
    launch_parts_together(static_cast<unsigned>(multiprocessors_), kernel, threads, shared_bytes,
                          arguments...);
  }
  template <class Kernel, class... Arguments>
  void launch_parts_together(unsigned parts, Kernel kernel, unsigned threads,
                             std::size_t shared_bytes, Arguments... arguments) const {
    void* pointers[] = {&arguments...};
    check(cudaLaunchCooperativeKernel(kernel, dim3(parts), dim3(threads), pointers, shared_bytes,
                                      stream_),
          "launching a kernel");
  }

  static constexpr unsigned kThreads = 256;
  static constexpr std::size_t kPinned = 8192, kPinnedForBatch = 32768;
  static constexpr std::size_t kSearchAnswerBytes = 5120,
                               kRoundAnswerBytes = kPinned - kSearchAnswerBytes;

 private:
  static constexpr std::size_t kAllPinned = kAnswerSlots * kPinned + kPinnedForBatch;
  unsigned* signal_word() const {
    return reinterpret_cast<unsigned*>(static_cast<char*>(pinned_) + kAllPinned);
  }

  cudaStream_t stream_ = nullptr, side_stream_ = nullptr;
  void* pinned_ = nullptr;
  mutable unsigned last_signal_ = 0;
  int multiprocessors_ = 0, cache_bytes_ = 0, shared_bytes_ = 0, shared_bytes_in_all_ = 0;
};

// action(i) for i in [0, count), on the GPU.
template <class Action>
__global__ void for_each_kernel(std::size_t count, Action action) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    action(i);
}

template <class Action>
void for_each(const Context& context, std::size_t count, Action action) {
  if (count == 0) return;
  for_each_kernel<<<context.blocks_for(count), Context::kThreads, 0, context.stream()>>>(count,
                                                                                         action);
  check(cudaGetLastError(), "launching a kernel");
}

}  // namespace antipode::cuda
