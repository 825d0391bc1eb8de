// What a long measure keeps for later, as bytes. A checksum finds accidents; that the fields belong
// to this question about this graph, and to each other, is checked where they are read.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "antipode/error.hpp"
#include "graph/sample.hpp"

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

// Reads back in the same order. What does not fit is an InputError.
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
    require(size <= (bytes_.size() - at_) / sizeof(T), "it is shorter than it says");
    values.resize(size);
    take(values.data(), size * sizeof(T));
    return *this;
  }
  // What every state of this question fulfils.
  const StateReader& require(bool holds, const char* what) const {
    if (!holds)
      throw InputError("the checkpoint",
                       std::string(what) + ": remove it and start again without --resume");
    return *this;
  }
  void finish() const { require(at_ == bytes_.size(), "it has more than belongs there"); }

 private:
  void take(void* to, std::size_t size) {
    require(size <= bytes_.size() - at_, "it is shorter than it says");
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }

  std::vector<unsigned char> bytes_;
  std::size_t at_ = 0;
};

// Some that are searched again when a state is read: no file can know which.
inline std::vector<Vertex> any_of(std::span<const Vertex> vertices, std::size_t most = 16) {
  return draw_sample({vertices.begin(), vertices.end()}, most, std::random_device()());
}

// The sum of counts, or the largest number if it is more than that.
template <class Counts>
std::uint64_t sum_of(const Counts& counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t each : counts)
    if ((sum += each) < each) return std::numeric_limits<std::uint64_t>::max();
  return sum;
}

}  // namespace antipode
