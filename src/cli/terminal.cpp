#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace antipode::cli {

namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_terminal(int descriptor) {
  const std::string_view kind = environment("TERM");
  return !kind.empty() && kind != "dumb" && isatty(descriptor) == 1;
}

std::size_t width_of(int descriptor) {
  constexpr std::size_t kUsual = 80;
  struct winsize size {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kUsual;
}

// https://no-color.org: set and not empty.
bool takes_color(int descriptor) {
  return environment("NO_COLOR").empty() && is_terminal(descriptor);
}

std::string styled(std::string_view text, Style style, int descriptor) {
  if (!takes_color(descriptor)) return std::string(text);
  return (style == Style::bold ? "\033[1m" : "\033[2m") + std::string(text) + "\033[0m";
}

}  // namespace antipode::cli
