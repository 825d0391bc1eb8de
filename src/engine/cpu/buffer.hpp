// An uninitialized array on large pages where it is large: lane words are reached at random, and small pages would
// cost a table walk for each.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <new>

namespace antipode::cpu {

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) {
    constexpr std::size_t kLine = 64, kLargePage = std::size_t{2} << 20;
    const std::size_t alignment = count * sizeof(T) >= 2 * kLargePage ? kLargePage : kLine;
    const std::size_t bytes = (count * sizeof(T) + alignment) / alignment * alignment;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
    if (!data_) throw std::bad_alloc();
    if (alignment == kLargePage) madvise(data_.get(), bytes, MADV_HUGEPAGE);
  }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
};

}  // namespace antipode::cpu
