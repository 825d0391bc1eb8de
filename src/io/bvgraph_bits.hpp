// A stream of bits, the first bit of a byte being its highest, and the codes for whole numbers that
// WebGraph uses (P. Boldi and S. Vigna, "The WebGraph Framework II: Codes for the World-Wide Web",
// DCC 2004). Most codes are taken from one load of 64 bits.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "graph/buffer.hpp"

namespace antipode {

enum class Coding { unary, gamma, delta, golomb, zeta, nibble };

// Bytes, and zeros after them: Bits loads eight at a time.
class PaddedBytes {
 public:
  explicit PaddedBytes(std::size_t size) : bytes_(size + kPadding), size_(size) {
    std::memset(bytes_.begin() + size, 0, kPadding);
  }
  unsigned char* data() { return bytes_.begin(); }
  const unsigned char* data() const { return bytes_.begin(); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t kPadding = 16;
  Buffer<unsigned char> bytes_;
  std::size_t size_;
};

struct BitFault {
  const char* what;
};

class Bits {
 public:
  explicit Bits(const PaddedBytes& bytes) : bytes_(bytes.data()), end_(8 * bytes.size()) {}

  std::uint64_t at() const { return at_; }
  std::uint64_t end() const { return end_; }
  void seek(std::uint64_t at) { at_ = at; }  // at most end()

  // `k`: the parameter of zeta and Golomb codes.
  std::uint64_t read(Coding coding, unsigned k) {
    switch (coding) {
      case Coding::unary:
        return unary();
      case Coding::gamma:
        return gamma();
      case Coding::delta:
        return delta();
      case Coding::golomb:
        return golomb(k);
      case Coding::zeta:
        return zeta(k);
      case Coding::nibble:
        break;
    }
    return nibble();
  }

  std::uint64_t gamma() {
    const std::uint64_t window = peek();
    const auto zeros = static_cast<unsigned>(std::countl_zero(window));
    if (2 * zeros + 1 <= kValid) {
      advance(2 * zeros + 1);
      return (window >> (63 - 2 * zeros)) - 1;
    }
    return number(unary()) - 1;
  }

  // Whether only zeros follow, as in a file that is padded to whole words.
  bool ends_in_zeros() {
    while (at_ < end_) {
      if (peek() != 0) return false;
      at_ = end_ - at_ > kValid ? at_ + kValid : end_;
    }
    return true;
  }

 private:
  static constexpr unsigned kValid = 57;    // bits of a window at least
  static constexpr unsigned kLongest = 62;  // bits of a number

  [[noreturn]] static void refuse_long() { throw BitFault{"a number of more than 62 bits"}; }

  // The next bits, the first of them highest; zeros after the end.
  std::uint64_t peek() const {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_ + (at_ >> 3), sizeof word);
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    return word << (at_ & 7);
  }
  void advance(std::uint64_t count) {
    at_ += count;
    if (at_ > end_) {
      at_ = end_;
      throw BitFault{"the file ends inside it"};
    }
  }
  std::uint64_t bits(unsigned count) {  // at most 63
    if (count == 0) return 0;
    if (count > kValid) {
      const std::uint64_t high = bits(count - 32);
      return high << 32 | bits(32);
    }
    const std::uint64_t value = peek() >> (64 - count);
    advance(count);
    return value;
  }
  // The number whose highest bit is followed by these.
  std::uint64_t number(std::uint64_t lower_bits) {
    if (lower_bits > kLongest) refuse_long();
    const auto count = static_cast<unsigned>(lower_bits);
    return std::uint64_t{1} << count | bits(count);
  }

  std::uint64_t unary() {
    for (std::uint64_t sum = 0;;) {
      const auto zeros = static_cast<unsigned>(std::countl_zero(peek()));
      if (zeros < kValid) {
        advance(zeros + 1);
        return sum + zeros;
      }
      advance(kValid);
      sum += kValid;
    }
  }
  std::uint64_t delta() { return number(gamma()) - 1; }
  std::uint64_t zeta(unsigned k) {
    const std::uint64_t window = peek();
    const auto zeros = static_cast<unsigned>(std::countl_zero(window));
    if (zeros + 1 + zeros * k + k > kValid) return long_zeta(k);
    const unsigned width = zeros * k + k - 1;
    const std::uint64_t rest = window << (zeros + 1), left = std::uint64_t{1} << (zeros * k);
    const std::uint64_t value = rest >> 1 >> (63 - width);
    const bool is_short = value < left;
    advance(zeros + 1 + width + (is_short ? 0 : 1));
    return is_short ? value + left - 1 : (rest >> (63 - width)) - 1;
  }
  std::uint64_t long_zeta(unsigned k) {
    const std::uint64_t steps = unary();
    if (steps > kLongest || steps * k + k > kLongest) refuse_long();
    const auto shift = static_cast<unsigned>(steps) * k;
    const std::uint64_t left = std::uint64_t{1} << shift, value = bits(shift + k - 1);
    return value < left ? value + left - 1 : (value << 1 | bits(1)) - 1;
  }
  std::uint64_t golomb(unsigned k) {
    const std::uint64_t quotient = unary();
    if (quotient > (std::uint64_t{1} << kLongest) / k) refuse_long();
    const unsigned width = static_cast<unsigned>(std::bit_width(k)) - 1;
    const std::uint64_t shorter = (std::uint64_t{2} << width) - k, value = bits(width);
    return quotient * k + (value < shorter ? value : (value << 1 | bits(1)) - shorter);
  }
  std::uint64_t nibble() {
    for (std::uint64_t value = 0;;) {
      const std::uint64_t group = bits(4);
      if (value >> (kLongest - 3) != 0) refuse_long();
      value = value << 3 | (group & 7);
      if (group > 7) return value;
    }
  }

  const unsigned char* bytes_;
  std::uint64_t end_, at_ = 0;
};

}  // namespace antipode
