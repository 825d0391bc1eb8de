// Small parallel pieces that the rooms share: stretches, folds, exclusive prefix sums and relaxed
// access to shared arrays.
#pragma once

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <vector>

namespace antipode {

// Less work than this many items is done before a second thread has woken up.
inline constexpr std::size_t kWorthThreads = 1 << 15;

template <class T>
T relaxed_load(const T& cell) {
  return std::atomic_ref<T>(const_cast<T&>(cell)).load(std::memory_order_relaxed);
}

template <class T>
void relaxed_store(T& cell, T value) {
  std::atomic_ref<T>(cell).store(value, std::memory_order_relaxed);
}

template <class T>
T relaxed_add(T& cell, T value) {
  return std::atomic_ref<T>(cell).fetch_add(value, std::memory_order_relaxed);
}

// work(begin, end) over [0, count) in one stretch a thread. Few items are done here and now: even a
// parallel region of one thread ends with a call to the system.
template <class Work>
void in_stretches(std::size_t count, int threads, Work work) {
  if (threads == 1 || count <= kWorthThreads) {
    work(std::size_t{0}, count);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    const std::size_t me = static_cast<std::size_t>(omp_get_thread_num()),
                      team = static_cast<std::size_t>(omp_get_num_threads());
    work(count * me / team, count * (me + 1) / team);
  }
}

// fold(… fold(first, value(0)) …, value(count - 1)), where the order must not matter.
template <class T, class Fold, class Value>
T folded(std::size_t count, int threads, T first, Fold fold, Value value) {
  T result = first;
  in_stretches(count, threads, [&](std::size_t begin, std::size_t end) {
    T mine = first;
    for (std::size_t i = begin; i < end; ++i) mine = fold(mine, value(i));
#pragma omp critical(antipode_folded)
    result = fold(result, mine);
  });
  return result;
}

// Replaces each value by the sum of those before it; returns the sum of all.
template <class T>
T exclusive_sum(std::vector<T>& values) {
  const std::size_t count = values.size();
  std::vector<T> carry(static_cast<std::size_t>(omp_get_max_threads()) + 1, T{0});
#pragma omp parallel if (count > kWorthThreads)
  {
    const std::size_t me = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t team = static_cast<std::size_t>(omp_get_num_threads());
    const std::size_t begin = count * me / team, end = count * (me + 1) / team;
    T sum{0};
    for (std::size_t i = begin; i < end; ++i) sum += values[i];
    carry[me + 1] = sum;
#pragma omp barrier
#pragma omp single
    for (std::size_t t = 1; t <= team; ++t) carry[t] += carry[t - 1];
    sum = carry[me];
    for (std::size_t i = begin; i < end; ++i) {
      const T value = values[i];
      values[i] = sum;
      sum += value;
    }
#pragma omp single
    carry.back() = carry[team];
  }
  return carry.back();
}

}  // namespace antipode
