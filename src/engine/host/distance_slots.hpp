// Distances by handle: the latest ones, and those that are retained. Buffers are reused; one of
// size 0 holds nothing.
#pragma once

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "antipode/engine.hpp"

namespace antipode::host {

template <class Buffer>
class DistanceSlots {
 public:
  DistanceSlots() : slots_(1) {}

  // A buffer for a new search, whose distances are now the latest.
  template <class Make>
  Buffer& next(Make make) {
    latest_ = 0;
    if (slots_[0].size() == 0) slots_[0] = spare(make);
    return slots_[0];
  }

  // An unused buffer for a search that is made ahead. swap_next makes it the latest.
  template <class Make>
  Buffer spare(Make make) {
    return spare_.empty() ? make() : take(spare_);
  }
  Buffer& swap_next(Buffer& ahead) {
    std::swap(slots_[0], ahead);
    latest_ = 0;
    return slots_[0];
  }
  // The retained distances that are the latest; 0: these are not retained.
  std::uint32_t latest() const { return latest_; }
  void set_latest(std::uint32_t slot) { latest_ = slot; }

  const Buffer& operator[](DistanceHandle handle) const {
    const auto slot = handle == kLatest ? latest_ : static_cast<std::uint32_t>(handle);
    assert(slots_[slot].size() != 0);
    return slots_[slot];
  }

  DistanceHandle retain() {
    if (latest_ != 0) return DistanceHandle{latest_};
    auto slot = std::find_if(slots_.begin() + 1, slots_.end(),
                             [](const Buffer& each) { return each.size() == 0; });
    if (slot == slots_.end()) slot = slots_.emplace(slots_.end());
    latest_ = static_cast<std::uint32_t>(slot - slots_.begin());
    std::swap(slots_[latest_], slots_[0]);
    return DistanceHandle{latest_};
  }

  void release(DistanceHandle handle) {
    Buffer& buffer = slots_[static_cast<std::uint32_t>(handle)];
    if (static_cast<std::uint32_t>(handle) == latest_) {
      std::swap(slots_[0], buffer);  // still the latest, no longer retained
      latest_ = 0;
    }
    if (buffer.size() != 0) spare_.push_back(std::exchange(buffer, Buffer()));
  }

 private:
  static Buffer take(std::vector<Buffer>& from) {
    Buffer buffer = std::move(from.back());
    from.pop_back();
    return buffer;
  }

  std::vector<Buffer> slots_;  // slot 0: the latest while it is not retained
  std::vector<Buffer> spare_;
  std::uint32_t latest_ = 0;
};

}  // namespace antipode::host
