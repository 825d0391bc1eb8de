#include "cli/live.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>

#include "antipode/error.hpp"
#include "cli/progress_line.hpp"
#include "cli/terminal.hpp"

namespace antipode::cli {

namespace {

std::atomic<std::int64_t> interrupted_at{0};  // milliseconds; 0: not yet
static_assert(
    std::atomic<std::int64_t>::is_always_lock_free);  // a signal handler may touch nothing else

// The first Ctrl-C asks for the bounds reached so far; a later one ends the program. Programs that
// pass signals on often deliver one twice, to the process and to its group: what follows within
// half a second is the same Ctrl-C.
void on_interrupt(int signal) {
  constexpr std::int64_t kSame = 500;
  struct timespec time {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t now = std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000 + 1;
  std::int64_t first = 0;
  if (interrupted_at.compare_exchange_strong(first, now) || now - first < kSame) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal != SIGHUP || before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);  // nohup means it
  }
}

namespace {

const std::chrono::steady_clock::time_point program_start = std::chrono::steady_clock::now();

}  // namespace

void say(std::string_view text) {
  std::string line = printable(text, LineEnds::kept);
  if (line.starts_with("note: ") && line.ends_with('\n'))
    line = styled(line.substr(0, line.size() - 1), Style::dim, STDERR_FILENO) + "\n";
  erase_line();
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

bool is_stopped(double time_limit) {
  return interrupted_at != 0 ||
         (time_limit > 0 &&
          std::chrono::duration<double>(std::chrono::steady_clock::now() - program_start).count() >=
              time_limit);
}

namespace {

bool is_watched = false;  // by a load observer
double limit_of_answers = 0;

}  // namespace

void set_limit_of_answers(double time_limit) { limit_of_answers = time_limit; }

AnswerWatch::AnswerWatch() : is_outer_(is_watched), interrupted_before_(interrupted_at) {
  if (is_outer_) return;
  is_watched = true;
  set_load_observer(this);
}

AnswerWatch::~AnswerWatch() {
  if (is_outer_) return;
  set_load_observer(nullptr);
  is_watched = false;
}

bool AnswerWatch::stop() {
  constexpr std::chrono::milliseconds kBetweenCalls(200), kPatience(2000);
  if (!is_stopped(limit_of_answers)) return false;
  if (interrupted_at != interrupted_before_) return true;
  const std::lock_guard one(asking_);
  const auto now = Clock::now();
  if (now - last_ > kBetweenCalls) since_ = now;
  last_ = now;
  return now - since_ > kPatience;
}

LoadWatch::LoadWatch(const CommonOptions& options)
    : limit_(options.time_limit), quiet_(options.quiet), terminal_(is_terminal(STDERR_FILENO)) {
  is_watched = true;
  set_load_observer(this);
}

LoadWatch::~LoadWatch() {
  set_load_observer(nullptr);
  is_watched = false;
  erase_line();
}

namespace {

std::string megabytes(std::uint64_t bytes, const char* unit) {
  return fmt::format("{:.1f} {}", static_cast<double>(bytes) / 1e6, unit);
}

std::string rate_text(double rate) {
  return rate < 100 ? fmt::format("{:.1f}/s", rate) : fmt::format("{:.0f}/s", rate);
}

std::string whole_line(const LoadProgress& progress, double seconds) {
  std::string text = progress.phase;
  if (progress.bytes > 0)
    text += fmt::format(" {:.1f} MB ({:.1f} MB/s)", static_cast<double>(progress.bytes) / 1e6,
                        static_cast<double>(progress.bytes) / 1e6 / seconds);
  if (progress.edges > 0)
    text += fmt::format(" {} edges ({:.1f} million/s)", progress.edges,
                        static_cast<double>(progress.edges) / 1e6 / seconds);
  return fmt::format("{}, {:.1f} s\n", text, seconds);
}

ProgressLine drawn_line(const LoadProgress& progress, double seconds) {
  ProgressLine line{.what = progress.phase};
  if (progress.bytes > 0) {
    line.details.push_back(megabytes(progress.bytes, "MB"));
    line.details.push_back(
        fmt::format("{:.1f} MB/s", static_cast<double>(progress.bytes) / 1e6 / seconds));
  }
  if (progress.edges > 0) {
    line.details.push_back(fmt::format("{} edges", progress.edges));
    line.details.push_back(
        fmt::format("{:.1f} million/s", static_cast<double>(progress.edges) / 1e6 / seconds));
  }
  if (progress.share > 0 && progress.share < 1) {
    line.share = progress.share;
    line.details.push_back(time_left(seconds / progress.share * (1 - progress.share)));
  } else {
    line.details.push_back(fmt::format("{:.1f} s", seconds));
  }
  return line;
}

}  // namespace

// Where there is no terminal, only the phases of getting a graph are shown.
void LoadWatch::progress(const LoadProgress& progress) {
  const std::unique_lock one(showing_, std::try_to_lock);
  const auto now = Clock::now();
  if (quiet_ || !one || (!terminal_ && !progress.is_loading)) return;
  if (phase_ != progress.phase) phase_start_ = phase_.empty() ? start_ : now;
  const bool is_next =
      shown_ && phase_ != progress.phase;  // the phases after a long one are shown, too
  phase_ = progress.phase;
  if (!is_next && std::chrono::duration<double>(now - last_).count() < (terminal_ ? 0.1 : 2.0))
    return;
  last_ = now;
  shown_ = true;
  const auto since = [&](Clock::time_point then) {
    return std::max(1e-3, std::chrono::duration<double>(now - then).count());
  };
  if (terminal_)
    draw(drawn_line(progress, since(phase_start_)));
  else
    say(whole_line(progress, since(start_)));
}

LiveObserver::LiveObserver(std::string_view measure, const CommonOptions& options,
                           const LengthUnit& unit)
    : measure_(measure),
      quiet_(options.quiet),
      terminal_(is_terminal(STDERR_FILENO)),
      limit_(options.time_limit),
      unit_(unit) {}

LiveObserver::LiveObserver(std::string_view measure, const CommonOptions& options,
                           const char* counted)
    : LiveObserver(measure, options) {
  counted_ = counted;
  quiet_ = quiet_ || !terminal_;
}

LiveObserver::~LiveObserver() { erase_line(); }

void LiveObserver::progress(const Progress& progress) {
  if (first_ && progress.upper == 0) {
    start_ = Clock::now();
    before_ = progress.searches;
  }
  first_ = false;
  const auto now = Clock::now();
  const double since =
      std::chrono::duration<double>(now - (last_ == Clock::time_point{} ? start_ : last_)).count();
  if (quiet_ || since < (terminal_ ? 0.1 : 2.0)) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  // What a checkpoint brought was not done in this time.
  const double rate = static_cast<double>(progress.searches - before_) / std::max(elapsed, 1e-9);
  // What is bounded ends when the bounds meet; what goes through all sources ends when none is
  // left.
  const bool bounded = progress.upper != 0;
  const std::string bounds = bounded ? fmt::format(" in [{}, {}]", to_text(progress.lower, unit_),
                                                   to_text(progress.upper, unit_))
                                     : "";
  const double remaining = progress.candidates / std::max(rate, 1e-9);
  if (terminal_) {
    const std::uint64_t all = progress.searches + progress.candidates;
    ProgressLine line{.what = measure_ + bounds};
    if (bounded) {
      line.details = {fmt::format("{:.1f} s", elapsed), fmt::format("{} left", progress.candidates),
                      fmt::format("{} searches", progress.searches), rate_text(rate)};
    } else {
      line.share = all == 0 ? 1 : static_cast<double>(progress.searches) / static_cast<double>(all);
      line.details = {fmt::format("{} of {} {}", progress.searches, all, counted_), rate_text(rate),
                      time_left(remaining)};
    }
    return draw(line);
  }
  say(fmt::format("{}{}, {} searches ({:.1f}/s), {} left, {:.1f} s{}\n", measure_, bounds,
                  progress.searches, rate, progress.candidates, elapsed,
                  bounded ? "" : fmt::format(", about {:.0f} s more", remaining)));
}

// ANTIPODE_STOP=computing stops as Ctrl-C would as soon as the graph is there, so that tests need
// no clock.
bool LiveObserver::stop() {
  static const char* const stop = std::getenv("ANTIPODE_STOP");
  return is_stopped(limit_) || (stop != nullptr && std::string_view(stop) == "computing");
}

void notice(const CommonOptions& options, std::string_view text) {
  if (!options.quiet) say(fmt::format("note: {}\n", text));
}

}  // namespace antipode::cli
