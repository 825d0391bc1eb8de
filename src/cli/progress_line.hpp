// The line on standard error that shows how far the work is: drawn again and again on a terminal,
// and erased at the end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace antipode::cli {

struct ProgressLine {
  std::string what = {};                  // diameter in [8, 9]
  double share = -1;                      // done; negative: it is not known
  std::vector<std::string> details = {};  // where there is no room for all, the last are shown
};

// In fewer columns than the terminal has, so that the line is never broken.
std::string fitted(const ProgressLine& line, std::size_t columns);
std::string time_left(double seconds);  // 12 s left

void draw(const ProgressLine& line);
void erase_line();  // if one is drawn, before anything else is written

}  // namespace antipode::cli
