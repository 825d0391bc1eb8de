// Rows of distances by handle: the latest one, and those that were kept. Buffers are used again;
// one of no size holds nothing.
#pragma once

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode {

template <class Buffer>
class RowSlots {
 public:
  RowSlots() : rows_(1) {}

  // For a new search, whose row is the latest from now on.
  template <class Make>
  Buffer& next(Make make) {
    latest_ = 0;
    if (rows_[0].size() == 0) rows_[0] = spare_.empty() ? make() : taken(spare_);
    return rows_[0];
  }

  const Buffer& operator[](Row row) const {
    const auto slot = row == kLatestRow ? latest_ : static_cast<std::uint32_t>(row);
    assert(rows_[slot].size() != 0);
    return rows_[slot];
  }

  Row keep() {
    if (latest_ != 0) return Row{latest_};
    auto slot = std::find_if(rows_.begin() + 1, rows_.end(),
                             [](const Buffer& row) { return row.size() == 0; });
    if (slot == rows_.end()) slot = rows_.emplace(rows_.end());
    latest_ = static_cast<std::uint32_t>(slot - rows_.begin());
    std::swap(rows_[latest_], rows_[0]);
    return Row{latest_};
  }

  void release(Row row) {
    Buffer& buffer = rows_[static_cast<std::uint32_t>(row)];
    if (static_cast<std::uint32_t>(row) == latest_) {
      std::swap(rows_[0], buffer);  // still the latest, no longer kept
      latest_ = 0;
    }
    if (buffer.size() != 0) spare_.push_back(std::exchange(buffer, Buffer()));
  }

 private:
  static Buffer taken(std::vector<Buffer>& from) {
    Buffer buffer = std::move(from.back());
    from.pop_back();
    return buffer;
  }

  std::vector<Buffer> rows_;  // slot 0: the latest row while it is not kept
  std::vector<Buffer> spare_;
  std::uint32_t latest_ = 0;
};

}  // namespace antipode
