// From what a reader returns to a graph.
#pragma once

#include <chrono>

#include "io/formats.hpp"

namespace antipode {

class Clock {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// `loaded` has its name. An InputError if lengths are wanted and the file has none, or none that
// can be used.
LoadedGraph build(LoadedGraph loaded, ParsedGraph&& parsed, const LoadOptions& options,
                  Clock& clock);

}  // namespace antipode
