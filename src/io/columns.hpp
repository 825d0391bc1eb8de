// Whether the lines of a file have the same number of columns. A block records its first line and
// the first that differs; blocks are combined in order. Lines are counted as they are parsed,
// without a search for their ends.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace antipode {

struct BlockColumns {
  std::uint64_t lines = 0;    // of the block, all of them
  std::uint64_t columns = 0;  // of its first line that is not a comment; 0: none
  std::uint64_t first = 0;    // number of that line, from 0
  std::uint64_t other = 0;    // columns of the first line that differs; 0: none
  std::uint64_t other_line = 0;

  // Whether a line of so many columns must be recorded.
  bool differs(std::uint64_t count) const { return count != columns && other == 0; }
  // Records a line of `count` columns, `line` lines after the first of the block.
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

// For formats with a fixed number of columns.
inline constexpr const char* kMoreColumns =
    "there are lines with more columns than the format has: these columns are read past";

class FileColumns {
 public:
  // `named`: columns of a header; 0: there is none.
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
