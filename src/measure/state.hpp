// What a long measure keeps for later, as bytes.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "antipode/error.hpp"

namespace antipode {

class StateWriter {
 public:
  template <class T>
  StateWriter& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
    return *this;
  }
  template <class T>
  StateWriter& put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    bytes_.insert(bytes_.end(), bytes, bytes + values.size() * sizeof(T));
    return *this;
  }
  const std::vector<unsigned char>& bytes() const { return bytes_; }

 private:
  std::vector<unsigned char> bytes_;
};

// Reads back in the same order. What does not fit is not ours.
class StateReader {
 public:
  explicit StateReader(std::vector<unsigned char> bytes) : bytes_(std::move(bytes)) {}
  template <class T>
  StateReader& get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    take(&value, sizeof(T));
    return *this;
  }
  template <class T>
  StateReader& get(std::vector<T>& values) {
    std::uint64_t size = 0;
    get(size);
    if (size > (bytes_.size() - at_) / sizeof(T))
      throw Error("a checkpoint is shorter than it says");
    values.resize(size);
    take(values.data(), size * sizeof(T));
    return *this;
  }

 private:
  void take(void* to, std::size_t size) {
    if (size > bytes_.size() - at_) throw Error("a checkpoint is shorter than it says");
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }

  std::vector<unsigned char> bytes_;
  std::size_t at_ = 0;
};

}  // namespace antipode
