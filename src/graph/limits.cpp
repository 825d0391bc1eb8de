#include "graph/limits.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "antipode/error.hpp"
#include "graph/machine.hpp"

namespace antipode {

namespace {

std::uint64_t requested_memory = 0;
std::atomic<LoadObserver*> load_observer{nullptr};

// For messages: 12.0 GB instead of eleven digits.
std::string bytes_text(std::uint64_t bytes) {
  if (bytes >= 10'000'000'000) return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9);
  if (bytes >= 10'000'000) return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
  return fmt::format("{} bytes", bytes);
}

}  // namespace

void set_memory_limit(std::uint64_t bytes) { requested_memory = bytes; }

std::uint64_t memory_limit() { return requested_memory != 0 ? requested_memory : usable_memory(); }

// Allocates nothing, since it is called when memory may be exhausted.
std::uint64_t resident_memory() {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  char text[128] = {};
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  char* end = text;
  if (size <= 0) return 0;
  std::strtoull(text, &end, 10);  // mapped pages; resident pages follow
  return std::strtoull(end, nullptr, 10) * page;
}

bool fits_memory(std::uint64_t need) {
  const std::uint64_t limit = memory_limit();
  return need <= limit && resident_memory() <= limit - need;
}

void refuse_bytes(std::uint64_t need, const std::string& what) {
  if (fits_memory(need)) return;
  throw OutOfMemory(fmt::format(
      "{} needs about {} of memory beside the {} in use, and {} may be used: raise --memory-limit, "
      "or use a larger machine",
      what, bytes_text(need), bytes_text(resident_memory()), bytes_text(memory_limit())));
}

void refuse_beyond_memory(std::uint64_t order, std::uint64_t edges) {
  constexpr std::uint64_t kTooMany = std::uint64_t{1} << 58;
  const std::uint64_t need =
      order > kTooMany || edges > kTooMany ? ~std::uint64_t{0} : order * 16 + edges * 24;
  if (!fits_memory(need))
    refuse_bytes(need, fmt::format("a graph of {} vertices and {} edges", order, edges));
}

void set_load_observer(LoadObserver* observer) { load_observer = observer; }

void stop_if_asked() {
  if (LoadObserver* const observer = load_observer.load(std::memory_order_acquire);
      observer != nullptr && observer->stop())
    throw Interrupted();
}

void tell_loading(const LoadProgress& progress) {
  if (LoadObserver* const observer = load_observer.load(std::memory_order_acquire);
      observer != nullptr)
    observer->progress(progress);
}

}  // namespace antipode
