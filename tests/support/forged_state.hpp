// States as a program could write them that knows how: to any fields, the totals and the seal that
// belong to them. What such a state says is refused for what it says, or not at all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "measure/state.hpp"

namespace antipode::testing {

// The fields of a state in order: '4' and '8', numbers of so many bytes; 'u' and 'U', lists of such
// numbers; 'd', a list of doubles; 'e' and 's', lists of something of 12 and of 16 bytes.
using Layout = std::string_view;

constexpr Layout kAverageState = "44U", kAverageOfAllState = "4Us", kClosenessState = "4uuUU",
                 kBetweennessState = "4dddddd", kForwardState = "4uu", kBoundsState = "8uuuu",
                 kGolfState =  // of two chains
                 "88888"
                 "44ue44ue88888888888u"
                 "44ue44ue88888888888u";

inline std::vector<unsigned char> fields_of(std::vector<unsigned char> state, Layout layout) {
  constexpr std::size_t kTotals = 2 * sizeof(std::uint64_t);
  std::size_t ending = kTotals + sizeof(std::uint64_t);  // of single fields, and the seal
  for (const char kind : layout) ending += kind != '4' && kind != '8' ? kTotals : 0;
  state.resize(state.size() - std::min(state.size(), ending));
  return state;
}

class Forger {
 public:
  explicit Forger(std::span<const unsigned char> fields) : rest_(fields) {}

  // What does not have the layout gets a seal all the same.
  std::vector<unsigned char> state(Layout layout) {
    for (const char kind : layout)
      if (!(kind == '4'   ? number<std::uint32_t>()
            : kind == '8' ? number<std::uint64_t>()
            : kind == 'u' ? list<std::uint32_t>()
            : kind == 'U' ? list<std::uint64_t>()
            : kind == 'd' ? list<double>()
            : kind == 'e' ? list<Bytes<12>>()
                          : list<Bytes<16>>()))
        break;
    for (const unsigned char byte : rest_) writer_.put(byte);
    return writer_.sealed();
  }

 private:
  template <std::size_t size>
  struct Bytes {
    unsigned char bytes[size];
  };

  template <class T>
  bool number() {
    if (rest_.size() < sizeof(T)) return false;
    T value;
    std::memcpy(&value, rest_.data(), sizeof(T));
    writer_.put(value);
    rest_ = rest_.subspan(sizeof(T));
    return true;
  }
  template <class T>
  bool list() {
    std::uint64_t size = 0;
    if (rest_.size() < sizeof(size)) return false;
    std::memcpy(&size, rest_.data(), sizeof(size));
    if (size > (rest_.size() - sizeof(size)) / sizeof(T)) return false;
    std::vector<T> values(size);
    if (size > 0) std::memcpy(values.data(), rest_.data() + sizeof(size), size * sizeof(T));
    writer_.put(values);
    rest_ = rest_.subspan(sizeof(size) + size * sizeof(T));
    return true;
  }

  std::span<const unsigned char> rest_;
  StateWriter writer_;
};

inline std::vector<unsigned char> forged(std::span<const unsigned char> fields, Layout layout) {
  return Forger(fields).state(layout);
}

}  // namespace antipode::testing
