#include "engine/cuda/device/context.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

#include "antipode/error.hpp"
#include "engine/cuda/device/allocation.hpp"

namespace antipode::cuda {

namespace {

// Small allocations, pinned memory and streams are cached for the next engine: the driver takes
// longer to make them than a small graph takes to search. They are returned only after the GPU has
// finished with them. ANTIPODE_CUDA_CACHE=0 turns the cache off, for compute-sanitizer.
class AllocationCache {
 public:
  static AllocationCache& shared() {
    // never destroyed: the driver may have shut down first
    static AllocationCache* const cache = new AllocationCache;
    return *cache;
  }
  bool is_cacheable(std::size_t bytes) const { return enabled_ && bytes <= kMostBytes; }
  static std::size_t round_up(std::size_t bytes) {
    return std::bit_ceil(std::max<std::size_t>(bytes, 256));
  }

  void* take_block(std::size_t bytes) { return take(blocks_[bytes]); }
  void put_block(void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    blocks_[bytes].push_back(data);
  }
  void* take_pinned() { return take(pinned_); }
  cudaStream_t take_stream() { return static_cast<cudaStream_t>(take(streams_)); }
  void put(void* pinned, std::initializer_list<cudaStream_t> streams) {
    const std::lock_guard lock(mutex_);
    pinned_.push_back(pinned);
    streams_.insert(streams_.end(), streams.begin(), streams.end());
  }

 private:
  static constexpr std::size_t kMostBytes = 1 << 20;

  AllocationCache() {
    const char* wanted = std::getenv("ANTIPODE_CUDA_CACHE");
    enabled_ = wanted == nullptr || std::string_view(wanted) != "0";
  }
  void* take(std::vector<void*>& list) {
    const std::lock_guard lock(mutex_);
    if (list.empty()) return nullptr;
    void* const result = list.back();
    list.pop_back();
    return result;
  }

  bool enabled_;
  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> blocks_;
  std::vector<void*> pinned_, streams_;
};

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
  cudaGetLastError();  // clears the error, or the next call would report it again
  throw DeviceError(std::string("CUDA: ") + what + ": " + cudaGetErrorString(status));
}

std::uint64_t free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the memory left");
  return free;
}

int attribute(cudaDeviceAttr what) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "choosing a GPU");
  check(cudaDeviceGetAttribute(&value, what, device), "asking the GPU for its sizes");
  return value;
}

void* allocate_bytes(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* data = nullptr;
  const bool fails = fails_now();
  if (!fails && AllocationCache::shared().is_cacheable(bytes)) {
    bytes = AllocationCache::round_up(bytes);
    if ((data = AllocationCache::shared().take_block(bytes)) != nullptr) return data;
  }
  const cudaError_t status = fails ? cudaErrorMemoryAllocation : cudaMalloc(&data, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    throw OutOfMemory("the GPU has no room for another " + std::to_string(bytes) + " bytes; " +
                      std::to_string(free) + " of its " + std::to_string(total) + " are free");
  }
  check(status, "allocating memory");
  return data;
}

void free_bytes(void* data, std::size_t bytes) noexcept {
  if (data == nullptr) return;
  if (AllocationCache::shared().is_cacheable(bytes)) {
    AllocationCache::shared().put_block(data, AllocationCache::round_up(bytes));
  } else {
    cudaFree(data);
  }
}

Context::Context() {
  multiprocessors_ = attribute(cudaDevAttrMultiProcessorCount);
  cache_bytes_ = attribute(cudaDevAttrL2CacheSize);
  shared_bytes_ = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  shared_bytes_per_multiprocessor_ = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  cudaError_t status = fails_now() ? cudaErrorMemoryAllocation : cudaSuccess;
  for (cudaStream_t* const stream : {&stream_, &side_stream_})
    if (status == cudaSuccess && (*stream = AllocationCache::shared().take_stream()) == nullptr)
      status = cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
  if (status == cudaSuccess && (pinned_ = AllocationCache::shared().take_pinned()) == nullptr)
    status = cudaMallocHost(&pinned_, kAllPinned + sizeof(unsigned));
  if (status != cudaSuccess)
    for (const cudaStream_t stream : {stream_, side_stream_})
      if (stream != nullptr) cudaStreamDestroy(stream);
  check(status, "making streams and pinning memory");
  *signal_word() = last_signal_;
}

Context::~Context() {
  for (const cudaStream_t stream : {stream_, side_stream_}) cudaStreamSynchronize(stream);
  AllocationCache::shared().put(pinned_, {stream_, side_stream_});
}

// A kernel that fails gives no signal, so the stream is queried for errors at intervals.
void Context::await(const Signal& signal) const {
  constexpr unsigned kPatience = 4096;
  const std::atomic_ref<unsigned> word(*signal.word);
  for (unsigned looks = 1;
       static_cast<int>(word.load(std::memory_order_acquire) - signal.serial) < 0; ++looks) {
    if (looks % kPatience != 0) continue;
    const cudaError_t status = cudaStreamQuery(stream_);
    if (status != cudaErrorNotReady) return check(status, "waiting for the GPU");
  }
}

unsigned Context::blocks_for(std::size_t items, unsigned threads) const {
  constexpr std::size_t kResidentThreads = 2048;
  const std::size_t most =
      static_cast<std::size_t>(multiprocessors_) * (kResidentThreads / threads);
  return static_cast<unsigned>(std::clamp<std::size_t>((items + threads - 1) / threads, 1, most));
}

}  // namespace antipode::cuda
