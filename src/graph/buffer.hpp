// An uninitialized array; a large one is on large pages. Random access then needs few page-table
// walks, and filling it few page faults.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <new>

namespace antipode {

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    constexpr std::size_t kLine = 64, kLargePage = std::size_t{2} << 20;
    const std::size_t alignment = count * sizeof(T) >= 2 * kLargePage ? kLargePage : kLine;
    const std::size_t bytes = (count * sizeof(T) + alignment) / alignment * alignment;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
    if (!data_) throw std::bad_alloc();
    if (alignment == kLargePage) madvise(data_.get(), bytes, MADV_HUGEPAGE);
  }
  std::size_t size() const { return count_; }
  T* begin() { return data_.get(); }
  T* end() { return data_.get() + count_; }
  const T* begin() const { return data_.get(); }
  const T* end() const { return data_.get() + count_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::size_t count_;
  std::unique_ptr<T, Free> data_;
};

}  // namespace antipode
