// --estimate: a part of the work is timed, and the rest predicted from it. The verbs that go
// through all sources let a few go. [Penders 2012, equations 5.1 and 6.3: the time of all is that
// of the start and of as many sources as there are, each like those timed]
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

#include "antipode/certificate.hpp"
#include "antipode/error.hpp"
#include "cli/session.hpp"

namespace antipode::cli {

// Lets a measure work for about a second, and notes how far it came. If its first sources take
// longer than a few seconds, it is stopped before these are done.
class Trial final : public Observer {
 public:
  explicit Trial(const CommonOptions& options) : live_("estimate", options) {}
  bool only_times() const override { return true; }
  void progress(const Progress& progress) override {
    const double now = std::chrono::duration<double>(Clock::now() - start_).count();
    if (++parts_ == 1) {
      first_seconds_ = now;
      first_sources_ = progress.searches;
    }
    seconds_ = now;
    sources_ = progress.searches;
  }
  bool stop() override {
    if (live_.stop()) return true;
    if (parts_ == 0 && std::chrono::duration<double>(Clock::now() - start_).count() >= kPatience)
      is_too_slow_ = true;
    return is_too_slow_ || seconds_ >= 1;
  }
  bool is_too_slow() const { return is_too_slow_; }

  // The first part pays for memory that the others only use: it is counted once.
  double predict(std::uint64_t all) const {
    if (sources_ >= all) return seconds_;
    if (sources_ == first_sources_)
      return first_seconds_ * static_cast<double>(all) /
             static_cast<double>(std::max<std::uint64_t>(first_sources_, 1));
    return first_seconds_ + (seconds_ - first_seconds_) /
                                static_cast<double>(sources_ - first_sources_) *
                                static_cast<double>(all - first_sources_);
  }
  std::uint64_t sources() const { return sources_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kPatience = 2;  // seconds

  LiveObserver live_;  // knows of Ctrl-C and --time-limit
  Clock::time_point start_ = Clock::now();
  double first_seconds_ = 0, seconds_ = 0;
  std::uint64_t first_sources_ = 0, sources_ = 0;
  std::atomic<std::uint64_t> parts_{0};
  std::atomic<bool> is_too_slow_{false};
};

// Seconds of one source among many at once, from a search alone.
double seconds_of_source(Engine& engine);
double seconds_of_source(PathEngine& engine);

// run(observer) is the measure, of so many sources. each() tells how long one of them takes where a
// trial ends before any is done.
template <class Run, class Each>
ExitCode print_estimate(Session& session, std::uint64_t sources, Run run, Each each) {
  constexpr double kTried = 1.5, kTold = 4, kSampled = 10;  // how far off it may be, as a factor
  Trial trial(session.options());
  run(trial);
  const auto all =
      static_cast<std::uint64_t>(static_cast<double>(sources) * session.source_factor());
  report::EstimateReport answer{all, trial.sources()};
  if (trial.sources() > 0 || sources == 0) {
    answer.seconds = trial.predict(all);
    answer.factor = kTried;
  } else if (trial.is_too_slow()) {
    answer.seconds = each() * static_cast<double>(all);
    answer.factor = kTold;
  } else {
    throw Interrupted();  // nothing to predict from
  }
  session.finish_phase("estimate");
  answer.seconds *= session.cost_factor();
  if (session.cost_factor() > 1) answer.factor = kSampled;
  answer.memory = session.scaled_memory();
  session.print(answer);
  return kExact;
}

// Runs a measure whose number of searches depends on bounds for two seconds, and stores the
// progress it has made then.
class BoundedTrial final : public Observer {
 public:
  explicit BoundedTrial(const CommonOptions& options) : live_("estimate", options) {}
  void progress(const Progress& progress) override { last_ = progress; }
  bool stop() override {
    if (live_.stop()) interrupted_ = true;
    stopped_ = stopped_ || interrupted_ ||
               std::chrono::duration<double>(Clock::now() - start_).count() >= kSeconds;
    return stopped_;
  }
  bool is_stopped() const { return stopped_; }
  bool is_interrupted() const { return interrupted_; }  // by the user
  const Progress& last() const { return last_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kSeconds = 2;

  LiveObserver live_;
  Clock::time_point start_ = Clock::now();
  Progress last_;
  std::atomic<bool> stopped_{false}, interrupted_{false};
};

// For a measure whose number of searches depends on bounds: run(observer). If it ends within the
// trial, the estimate is its time. Otherwise it takes longer, at most by one search from every
// candidate that is left; as a rule few of them are searched. `most`: sources in the worst case.
ExitCode print_search_estimate(Session& session, Engine& engine, std::uint64_t most,
                               const std::function<void(Observer&)>& run);
ExitCode print_one_search_estimate(Session& session, Engine& engine);
// The same of paths: at worst a search from every vertex, in so many directions.
ExitCode print_path_estimate(Session& session, PathEngine& engine, Vertex directions,
                             const std::function<void(Observer&)>& run);
ExitCode print_one_path_search_estimate(Session& session, PathEngine& engine);

ExitCode print_info_estimate(Session& session);
ExitCode print_verify_estimate(Session& session, const Certificate& certificate);
// Of writing a graph to a file. One that is generated is not made for it, only a share of its
// edges.
ExitCode print_writing_estimate(Session& session, const Graph& graph, const std::string& target,
                                const std::string& format);
ExitCode print_generating_estimate(const CommonOptions& options, const std::string& target,
                                   const std::string& format);

}  // namespace antipode::cli
