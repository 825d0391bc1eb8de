// The clock, Ctrl-C, and what is shown on standard error while a verb works.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "antipode/measures.hpp"
#include "cli/options.hpp"

namespace antipode::cli {

void catch_interrupts();  // Ctrl-C asks observers to stop; a second one ends the program
// Ctrl-C, a signal to end, or a limit of time, counted from the start of the program.
bool is_stopped(double time_limit);

// While it is there, reading and building show how far they are, and end with Interrupted where
// they are to stop.
class LoadWatch final : public LoadObserver {
 public:
  explicit LoadWatch(const CommonOptions& options);
  ~LoadWatch() override;
  LoadWatch(const LoadWatch&) = delete;
  LoadWatch& operator=(const LoadWatch&) = delete;
  bool stop() override { return is_stopped(limit_); }
  void progress(const LoadProgress& progress) override;

 private:
  using Clock = std::chrono::steady_clock;

  double limit_;
  bool quiet_, terminal_, shown_ = false;
  std::string phase_;  // shown last
  std::mutex showing_;
  Clock::time_point start_ = Clock::now(), last_ = start_, phase_start_ = start_;
};

// While it is there, output that is not read is given up: at Ctrl-C, and where the time is over or
// the work was stopped before, as soon as nothing has been read for two seconds.
class AnswerWatch final : public LoadObserver {
 public:
  AnswerWatch();
  ~AnswerWatch() override;
  AnswerWatch(const AnswerWatch&) = delete;
  AnswerWatch& operator=(const AnswerWatch&) = delete;
  bool stop() override;  // called ten times a second while nothing is read, and hardly otherwise

 private:
  using Clock = std::chrono::steady_clock;

  const bool is_outer_;  // another one watches
  const std::int64_t interrupted_before_;
  std::mutex asking_;
  Clock::time_point since_{}, last_{};
};
void set_limit_of_answers(double time_limit);  // seconds from the start; 0: none

// Shows progress, and says stop after --time-limit or Ctrl-C.
class LiveObserver final : public Observer {
 public:
  // `unit`: of the bounds.
  LiveObserver(std::string_view measure, const CommonOptions& options, const LengthUnit& unit = {});
  // What is shown on terminals alone, as so many of these.
  LiveObserver(std::string_view measure, const CommonOptions& options, const char* counted);
  ~LiveObserver() override;
  void progress(const Progress& progress) override;
  bool stop() override;

 private:
  using Clock = std::chrono::steady_clock;

  std::string measure_;
  const char* counted_ = "sources";
  bool quiet_, terminal_, first_ = true;
  std::uint64_t before_ = 0;  // searches done at the first word of progress
  Clock::time_point start_ = Clock::now(), last_{};
  double limit_;
  LengthUnit unit_;
};

// On standard error; what cannot be written there is not worth an answer.
void say(std::string_view text);
void notice(const CommonOptions& options, std::string_view text);

}  // namespace antipode::cli
