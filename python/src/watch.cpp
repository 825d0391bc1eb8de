#include "watch.hpp"

#include <utility>

#include "antipode/error.hpp"

namespace antipode::python {

namespace {

constexpr std::chrono::milliseconds kEvery{30};

thread_local Watch* loading = nullptr;

// Threads of the pool go on; their team ends when its caller stops.
class LoadRelay final : public LoadObserver {
 public:
  bool stop() override { return loading != nullptr && loading->stop(); }
};

}  // namespace

Watch::Watch(nb::object callback, double time_limit)
    : callback_(std::move(callback)), time_limit_(time_limit), told_(begun_ - kEvery) {}

bool Watch::stop() {
  if (stopped_.load(std::memory_order_relaxed)) return true;
  const auto now = Clock::now();
  if (time_limit_ > 0 && std::chrono::duration<double>(now - begun_).count() >= time_limit_) {
    stopped_ = true;
    return true;
  }
  if (!is_caller() || now - looked_ < kEvery) return false;
  looked_ = now;
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) fail();
  return stopped_;
}

void Watch::progress(const Progress& progress) {
  if (callback_.is_none() || !is_caller() || stopped_) return;
  const auto now = Clock::now();
  if (now - told_ < kEvery) return;
  told_ = now;
  const nb::gil_scoped_acquire gil;
  try {
    callback_(progress.lower, progress.upper, progress.searches, progress.candidates);
  } catch (nb::python_error& error) {
    error_.emplace(std::move(error));
    stopped_ = true;
  }
}

void Watch::fail() {
  error_.emplace();
  stopped_ = true;
}

void Watch::rethrow(nb::object answer) {
  if (!error_) return;
  if (answer.is_valid()) nb::setattr(error_->value(), "_answer", answer);
  throw nb::python_error(std::move(*error_));
}

std::unique_lock<std::timed_mutex> take(std::timed_mutex& mutex, Watch& watch) {
  std::unique_lock lock(mutex, std::try_to_lock);  // needs no clock
  while (!lock.owns_lock() && !lock.try_lock_for(kEvery))
    if (watch.stop()) throw Interrupted();
  return lock;
}

LoadWatch::LoadWatch(Watch& watch) {
  static LoadRelay& relay = *new LoadRelay;  // never destroyed: threads may outlive static objects
  static std::once_flag once;
  std::call_once(once, [] { set_load_observer(&relay); });
  loading = &watch;
}

LoadWatch::~LoadWatch() { loading = nullptr; }

}  // namespace antipode::python
