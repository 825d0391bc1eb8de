// Whether the lines of a file agree in their number of columns. A block notes its first line and
// the first that differs from it; the blocks are put together in order. Lines are counted here, as
// they are parsed, and not by looking for their ends.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace antipode {

struct BlockColumns {
  std::uint64_t lines = 0;    // of the block, all of them
  std::uint64_t columns = 0;  // of its first line that is no comment; 0: there is none
  std::uint64_t first = 0;    // that line, from 0
  std::uint64_t other = 0;    // columns of the first line that differs from it; 0: none does
  std::uint64_t other_line = 0;

  // Whether such a line is news.
  bool differs(std::uint64_t count) const { return count != columns && other == 0; }
  // A line of so many columns, `line` lines after the block's first.
  void see(std::uint64_t line, std::uint64_t count) {
    if (columns == 0) {
      columns = count;
      first = line;
    } else if (count != columns && other == 0) {
      other = count;
      other_line = line;
    }
  }
};

// Of formats that say how many columns a line has.
inline constexpr const char* kMoreColumns =
    "there are lines with more columns than the format has: these columns are read past";

class FileColumns {
 public:
  // `named`: columns of a header among the lines before; 0: there is none.
  explicit FileColumns(std::uint64_t lines_before, std::uint64_t named = 0)
      : lines_(lines_before), columns_(named) {}

  void take(const BlockColumns& block) {
    if (columns_ == 0) columns_ = block.columns;
    if (other_ == 0 && block.columns != 0) {
      if (block.columns != columns_) {
        note(block.columns, block.first);
      } else if (block.other != 0) {
        note(block.other, block.other_line);
      }
    }
    lines_ += block.lines;
  }
  void add_notice(std::vector<std::string>& notices) const {
    if (other_ == 0) return;
    notices.push_back(fmt::format("line {} has {} column{} where the lines before have {}",
                                  other_line_, other_, other_ == 1 ? "" : "s", columns_));
  }

 private:
  void note(std::uint64_t count, std::uint64_t line) {
    other_ = count;
    other_line_ = lines_ + line + 1;
  }

  std::uint64_t lines_, columns_, other_ = 0, other_line_ = 0;
};

}  // namespace antipode
