// What a call owes its Python caller while the GIL is released: Ctrl-C, progress and a time limit.
// Handlers of signals run only on Python's main thread, and nothing of ours is installed: the
// thread that called looks for them at intervals, other threads read a flag.
#pragma once

#include <nanobind/nanobind.h>

#include <time.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "antipode/graph.hpp"
#include "antipode/measures.hpp"

namespace antipode::python {

namespace nb = nanobind;

// Steady, and right to a few milliseconds, where the system has such a clock: it is read so often
// that the exact one takes a tenth of the time of a small question.
struct CoarseClock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<std::chrono::steady_clock, duration>;
  static time_point now() {
#ifdef CLOCK_MONOTONIC_COARSE
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
#else
    return std::chrono::steady_clock::now();
#endif
  }
};

class Watch final : public Observer {
 public:
  // `callback` is None, or takes lower, upper, searches, candidates. No limit: 0 seconds.
  Watch(nb::object callback, double time_limit);

  bool stop() override;
  void progress(const Progress& progress) override;

  // Throws what Python raised meanwhile, with `answer` as its attribute `_answer` if there is one.
  void rethrow(nb::object answer = {});

 private:
  using Clock = CoarseClock;

  bool is_caller() const { return std::this_thread::get_id() == caller_; }
  void fail();  // with the GIL, and with an exception set

  nb::object callback_;
  double time_limit_;
  std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point begun_ = Clock::now(), looked_ = begun_, told_;
  std::atomic<bool> stopped_ = false;
  std::optional<nb::python_error> error_;
};

// While it is there, loading and building on this thread ask the watch whether to go on. The
// library has one place for a load observer, for all threads: ours stays there for good, and knows
// the watch of each thread.
class LoadWatch {
 public:
  explicit LoadWatch(Watch& watch);
  ~LoadWatch();
  LoadWatch(const LoadWatch&) = delete;
  LoadWatch& operator=(const LoadWatch&) = delete;
};

// Takes the mutex, unless the watch says stop meanwhile: then Interrupted is thrown.
std::unique_lock<std::timed_mutex> take(std::timed_mutex& mutex, Watch& watch);

}  // namespace antipode::python
