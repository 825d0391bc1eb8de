// The thread pool. One word, the ticket, says whether a team is open and how many seats it has
// left. A thread joins by taking a seat; the caller closes the team by taking all remaining seats.
// A thread without work spins briefly, then sleeps until a team opens. What the caller writes and
// what the others write lie in a cache line each, so that a team costs few transfers between cores.
//   fork     the child has only the thread that forked: it starts with a new pool.
//   signals  are delivered to the program's own threads: those of the pool block them.
//   memory   if a thread cannot be created, the pool has fewer threads.
#include "graph/parallel.hpp"

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace antipode {

namespace {

// How long to spin: longer than the sequential parts of a search. A thread that was descheduled
// while it spun shares the machine with other programs. For a while after that, all threads sleep
// almost at once. (docs/decisions/0011-threads-spin-briefly-then-sleep.md)
constexpr std::int64_t kQuietSpin = 300'000, kBusySpin = 3'000, kSentAway = 2'000'000,
                       kBusyFor = 50'000'000;  // nanoseconds

std::atomic<std::int64_t> busy_until{0};

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

thread_local bool in_a_team = false;

class Pool {
 public:
  void run(int team, const TeamJob& job) {
    if (in_a_team) return job.call(job.context, 0);
    std::unique_lock owner(busy_, std::try_to_lock);
    if (!owner) return job.call(job.context, 0);
    const std::uint64_t seats =
        std::min(static_cast<unsigned>(team - 1), grown(static_cast<unsigned>(team - 1)));
    if (seats == 0) {
      owner.unlock();
      return job.call(job.context, 0);
    }
    job_ = job;
    const std::uint64_t closed = ++teams_ << 32;
    ticket_.store(closed | seats);  // before sleepers_ is read, as serve() does it the other way
    if (sleepers_.load() > 0) {
      opened_.fetch_add(1);
      opened_.notify_all();
    }
    work(0);
    joined_ += static_cast<std::uint32_t>(
        seats - (ticket_.exchange(closed, std::memory_order_acq_rel) & kSeats));
    wait_for(joined_);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  static constexpr std::uint64_t kSeats = 0xFFFFFFFF;

  // Creates threads up to `wanted`; returns how many there are.
  unsigned grown(unsigned wanted) {
    sigset_t all, before;
    if (threads_ >= wanted) return threads_;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      for (; threads_ < wanted; ++threads_) std::thread([this] { serve(); }).detach();
    } catch (const std::exception&) {  // no memory, or too many threads: fewer will do
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return threads_;
  }

  void work(int member) noexcept {
    in_a_team = true;
    try {
      job_.call(job_.context, member);
    } catch (...) {
      const std::lock_guard lock(failing_);
      if (!failure_) failure_ = std::current_exception();
    }
    in_a_team = false;
  }

  void serve() {
    for (;;) {
      std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
      if ((ticket & kSeats) == 0) {
        if (!Spinning::until(
                [this] { return (ticket_.load(std::memory_order_relaxed) & kSeats) != 0; }))
          sleep();
        continue;
      }
      if (!ticket_.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel)) continue;
      work(static_cast<int>(ticket & kSeats));
      finished_.fetch_add(1, std::memory_order_acq_rel);
      finished_.notify_one();
    }
  }

  // Until a team opens. A caller that does not see this sleeper has stored its ticket before that
  // is looked at here.
  void sleep() {
    sleepers_.fetch_add(1);
    const std::uint32_t opened = opened_.load();
    if ((ticket_.load() & kSeats) == 0) opened_.wait(opened);
    sleepers_.fetch_sub(1);
  }

  void wait_for(std::uint32_t joined) {
    for (std::uint32_t finished; (finished = finished_.load(std::memory_order_acquire)) != joined;)
      if (!Spinning::until([&] { return finished_.load(std::memory_order_relaxed) == joined; }))
        finished_.wait(finished);
  }

  std::mutex busy_;  // held by the caller of the team
  unsigned threads_ = 0;
  std::uint64_t teams_ = 0;
  std::uint32_t joined_ = 0;  // all that ever joined, modulo 2^32
  std::mutex failing_;
  std::exception_ptr failure_;
  alignas(64) std::atomic<std::uint64_t> ticket_{
      0};          // the team's number, and below it the seats left
  TeamJob job_{};  // read only by threads that have a seat
  alignas(64) std::atomic<std::uint32_t> finished_{0};  // of those that ever joined
  alignas(64) std::atomic<std::uint32_t> sleepers_{0};
  std::atomic<std::uint32_t> opened_{0};  // changes where sleepers are woken
};

// Never destroyed: its threads may outlive every static object.
std::atomic<Pool*> current{nullptr};

void forget_pool() {
  in_a_team = false;
  current = nullptr;
}

// Created on first use, without a lock that a fork might find held. (call_once would not do: an
// exception cannot leave it when memory is exhausted.)
Pool& pool() {
  static std::atomic_flag is_told = ATOMIC_FLAG_INIT;
  if (Pool* const made = current.load(std::memory_order_acquire)) return *made;
  if (!is_told.test_and_set()) pthread_atfork(nullptr, nullptr, forget_pool);
  auto fresh = std::make_unique<Pool>();
  Pool* made = nullptr;
  return current.compare_exchange_strong(made, fresh.get()) ? *fresh.release() : *made;
}

}  // namespace

bool Spinning::goes_on() {
  const std::int64_t time = now();
  if (start_ == 0) {
    start_ = last_ = time;
    return true;
  }
  if (time - last_ > kSentAway) busy_until.store(time + kBusyFor, std::memory_order_relaxed);
  last_ = time;
  return time - start_ <
         (time < busy_until.load(std::memory_order_relaxed) ? kBusySpin : kQuietSpin);
}

void run_team(int team, const TeamJob& job) { pool().run(team, job); }

}  // namespace antipode
