#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>

#include "antipode/error.hpp"
#include "cli/terminal.hpp"

namespace antipode::cli {

namespace {

constexpr const char* kErase = "\r\033[K";
std::atomic<bool> is_drawn{false};

std::string bar(double share, std::size_t columns) {
  const std::size_t inside = columns - 2;
  const auto done = static_cast<std::size_t>(share * static_cast<double>(inside));
  std::string text(inside, ' ');
  std::fill_n(text.begin(), done, '=');
  if (done < inside) text[done] = '>';
  return "[" + text + "]";
}

// The parts from the first of `details` that is shown on.
std::string joined(const ProgressLine& line, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < line.details.size(); ++i)
    if (!line.details[i].empty()) text += (text.empty() ? "" : ", ") + line.details[i];
  return text;
}

}  // namespace

std::string fitted(const ProgressLine& line, std::size_t columns) {
  constexpr std::size_t kLeastBar = 8, kMostBar = 32;
  const std::size_t room = columns > 1 ? columns - 1 : 0;
  const std::string percent =
      line.share < 0 ? "" : fmt::format(" {:.0f} %", std::floor(100 * std::min(line.share, 1.0)));
  std::string text = line.what;
  if (text.size() + percent.size() <= room) text += percent;
  std::string details;
  for (std::size_t first = 0; first < line.details.size() && details.empty(); ++first)
    if (const std::string some = "  " + joined(line, first); text.size() + some.size() <= room)
      details = some;
  text += details;
  if (text.size() > room) text.resize(room);
  const std::size_t spare = room - text.size();
  if (line.share < 0 || spare < kLeastBar + 1 || text.size() < line.what.size()) return text;
  return text.insert(line.what.size(),
                     " " + bar(std::min(line.share, 1.0), std::min(spare - 1, kMostBar)));
}

std::string time_left(double seconds) {
  if (!(seconds < 1e9)) return "";
  if (seconds < 100) return fmt::format("{:.0f} s left", std::ceil(seconds));
  if (seconds < 100 * 60.0) return fmt::format("{:.0f} min left", seconds / 60);
  if (seconds < 48 * 3600.0) return fmt::format("{:.0f} h left", seconds / 3600);
  return fmt::format("{:.0f} days left", seconds / 86400);
}

void draw(const ProgressLine& line) {
  const std::string text = kErase + printable(fitted(line, width_of(STDERR_FILENO)));
  is_drawn = true;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void erase_line() {
  if (!is_drawn.exchange(false)) return;
  std::fputs(kErase, stderr);
  std::fflush(stderr);
}

}  // namespace antipode::cli
