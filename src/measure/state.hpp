// What a long measure keeps for later, as bytes. They end with two totals of every list of numbers,
// two of all single fields, and a seal, a hash of all before it: one field that was changed after
// it was kept is found whatever the checksum of its file says, and by the totals whatever the seal
// says. That the fields belong to this question about this graph, and to each other, is checked
// where they are read.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "antipode/error.hpp"
#include "graph/hash.hpp"
#include "graph/sample.hpp"

namespace antipode {

inline std::uint64_t seal_of(const unsigned char* fields, std::size_t size) {
  constexpr std::uint64_t kSeed = 0x5EA1ED57A7E5ull;  // any but that of the checksum of a file
  return hash_bytes(fields, size, kSeed);
}

// The sum of numbers, and that of each times its place: for counts of pairs by distance, the pairs
// and the sum of their distances. Modulo 2^64, and of all but whole numbers the bits, in words of
// 64: no change is lost in rounding.
class Totals {
 public:
  template <class T>
  void add(const T& number) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::array<std::uint64_t, (sizeof(T) + 7) / 8> words = {};
    std::memcpy(words.data(), &number, sizeof(T));
    for (const std::uint64_t word : words) {
      totals_[0] += word;
      totals_[1] += ++place_ * word;
    }
  }
  template <class T>
  static Totals of(const std::vector<T>& numbers) {
    Totals totals;
    for (const T& number : numbers) totals.add(number);
    return totals;
  }
  const std::array<std::uint64_t, 2>& values() const { return totals_; }

 private:
  std::array<std::uint64_t, 2> totals_ = {0, 0};
  std::uint64_t place_ = 0;
};

class StateWriter {
 public:
  template <class T>
  StateWriter& put(const T& value) {
    fields_.add(value);
    append(&value, sizeof(T));
    return *this;
  }
  template <class T>
  StateWriter& put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size() * sizeof(T));
    lists_.push_back(Totals::of(values));
    return *this;
  }
  // The fields, totals and seal: nothing can be added any more.
  std::vector<unsigned char> sealed() {
    lists_.push_back(fields_);
    for (const Totals& each : lists_) append(each.values().data(), sizeof(each.values()));
    const std::uint64_t seal = seal_of(bytes_.data(), bytes_.size());
    append(&seal, sizeof(seal));
    return std::move(bytes_);
  }

 private:
  void append(const void* from, std::size_t size) {
    const auto* const bytes = static_cast<const unsigned char*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }

  std::vector<unsigned char> bytes_;
  Totals fields_;
  std::vector<Totals> lists_;
};

// Reads back in the same order. What does not fit is an InputError.
class StateReader {
 public:
  explicit StateReader(std::vector<unsigned char> bytes) : bytes_(std::move(bytes)) {
    std::uint64_t seal = 0;
    require(bytes_.size() >= sizeof(seal), "it is shorter than it says");
    const std::size_t size = bytes_.size() - sizeof(seal);
    std::memcpy(&seal, bytes_.data() + size, sizeof(seal));
    bytes_.erase(bytes_.begin() + static_cast<std::ptrdiff_t>(size), bytes_.end());
    require(seal == seal_of(bytes_.data(), size), "its fields were changed after it was saved");
  }
  template <class T>
  StateReader& get(T& value) {
    take(&value, sizeof(T));
    fields_.add(value);
    return *this;
  }
  template <class T>
  StateReader& get(std::vector<T>& values) {
    std::uint64_t size = 0;
    get(size);
    require(size <= (bytes_.size() - at_) / sizeof(T), "it is shorter than it says");
    values.resize(size);
    take(values.data(), size * sizeof(T));
    lists_.push_back(Totals::of(values));
    return *this;
  }
  // What every state of this question fulfils.
  const StateReader& require(bool holds, const char* what) const {
    if (!holds)
      throw InputError("the checkpoint",
                       std::string(what) + ": remove it and start again without --resume");
    return *this;
  }
  void finish() {
    lists_.push_back(fields_);
    for (const Totals& each : lists_) {
      std::array<std::uint64_t, 2> kept{};
      take(kept.data(), sizeof(kept));
      require(kept == each.values(), "its numbers have other totals than when it was saved");
    }
    require(at_ == bytes_.size(), "it has more than belongs there");
  }

 private:
  void take(void* to, std::size_t size) {
    require(size <= bytes_.size() - at_, "it is shorter than it says");
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }

  std::vector<unsigned char> bytes_;
  std::size_t at_ = 0;
  Totals fields_;  // of what was read
  std::vector<Totals> lists_;
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
