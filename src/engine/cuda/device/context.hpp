// What all of the CUDA engine shares: checked calls, streams, owning buffers, answers in pinned
// memory. Buffers own memory; kernels get plain pointers (views), which never leave
// src/engine/cuda.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode::cuda {

// Every CUDA call goes through `check`: a failure becomes a DeviceError that names what was
// attempted.
void check(cudaError_t status, const char* what);

void* allocate_bytes(std::size_t bytes);  // DeviceError names bytes requested and free
std::uint64_t free_memory();
int attribute(cudaDeviceAttr what);
void free_bytes(void* data, std::size_t bytes) noexcept;

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

// A point in a stream that the host or another stream can wait for.
class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "creating an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "recording an event"); }
  void wait() { check(cudaEventSynchronize(event_), "waiting for the GPU"); }
  // What is launched in this stream from now on runs after the event.
  void make_wait(cudaStream_t stream) {
    check(cudaStreamWaitEvent(stream, event_), "waiting for the GPU");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Tells the host that an answer in pinned memory is complete, possibly before the kernel has ended.
struct Signal {
  unsigned* word = nullptr;  // pinned
  unsigned serial = 0;

  // Called by one thread, after a barrier or a counter that follows the writes of the answer. Other
  // threads that wrote parts of it have executed a system fence.
  __device__ void give() const {
    __threadfence_system();
    *static_cast<volatile unsigned*>(word) = serial;
  }
};

// Areas of pinned memory. Answers that are outstanding at the same time use different slots.
enum class AnswerSlot : unsigned {
  search,         // of a request that the host waits for
  second_search,  // of a double sweep
  look_ahead,     // a midpoint search begun before it is requested
  path            // a path backtracked on the side stream
};
inline constexpr std::size_t kAnswerSlots = 4, kSearchSlots = 3;  // the slot `path` holds no search

// Owns two streams and the pinned memory for answers.
class Context {
 public:
  Context();
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  cudaStream_t stream() const { return stream_; }
  cudaStream_t side_stream() const { return side_stream_; }  // for work that overlaps with stream()
  int multiprocessors() const { return multiprocessors_; }
  std::size_t cache_bytes() const { return static_cast<std::size_t>(cache_bytes_); }  // L2
  // Largest shared memory of a block, and all of a multiprocessor, of which each block uses 1,024
  // bytes more than it asks for.
  std::size_t shared_bytes() const { return static_cast<std::size_t>(shared_bytes_); }
  std::size_t shared_bytes_per_multiprocessor() const {
    return static_cast<std::size_t>(shared_bytes_per_multiprocessor_);
  }
  void finish() const { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }
  Signal next_signal() const { return {signal_word(), ++last_signal_}; }
  void await(const Signal& signal) const;  // returns once this signal or a later one is given

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
  // One small value, through pinned memory; waits for the stream.
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

  // Makes the buffer hold at least `count` elements; its content is lost. Waits first, since the
  // last kernel may still read the smaller buffer.
  template <class T>
  void make_room(Buffer<T>& buffer, std::size_t count) const {
    if (buffer.size() >= count) return;
    finish();
    buffer = Buffer<T>(count);
  }

  // Host memory that kernels write to: kPinned bytes per slot, of which the first
  // kSearchAnswerBytes belong to a search and the rest to what follows it in the stream.
  void* pinned(AnswerSlot slot = AnswerSlot::search) const {
    return static_cast<char*>(pinned_) + static_cast<std::size_t>(slot) * kPinned;
  }
  void* pinned_behind_search(AnswerSlot slot = AnswerSlot::search) const {
    return static_cast<char*>(pinned(slot)) + kSearchAnswerBytes;
  }
  // kPinnedForBatch bytes, for the results of a batch.
  void* pinned_for_batch() const { return static_cast<char*>(pinned_) + kAnswerSlots * kPinned; }

  // Number of blocks for `items`: at most as many as are resident at once.
  unsigned blocks_for(std::size_t items, unsigned threads = kThreads) const;
  // Cooperative launches, of one block per multiprocessor or of `blocks` blocks. All blocks are
  // resident, so that they can wait for each other.
  template <class Kernel, class... Arguments>
  void launch_cooperative(Kernel kernel, unsigned threads, std::size_t shared_bytes,
                          Arguments... arguments) const {
    launch_cooperative_blocks(static_cast<unsigned>(multiprocessors_), kernel, threads,
                              shared_bytes, arguments...);
  }
  template <class Kernel, class... Arguments>
  void launch_cooperative_blocks(unsigned blocks, Kernel kernel, unsigned threads,
                                 std::size_t shared_bytes, Arguments... arguments) const {
    void* pointers[] = {&arguments...};
    check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), pointers, shared_bytes,
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
  int multiprocessors_ = 0, cache_bytes_ = 0, shared_bytes_ = 0,
      shared_bytes_per_multiprocessor_ = 0;
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
