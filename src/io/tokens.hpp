// Walking through text: blanks, line ends, whole numbers, words.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "io/blocks.hpp"

namespace antipode {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A word as it may be shown in a message: short, and printable.
inline std::string shown(std::string_view word) {
  constexpr std::size_t kMost = 40;
  std::string result;
  for (const char c : word.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      result += c;
    } else {
      constexpr char kHex[] = "0123456789abcdef";
      result += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return "'" + result + (word.size() > kMost ? "…'" : "'");
}

class Tokens {
 public:
  explicit Tokens(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  const char* at() const { return at_; }
  bool at_end() const { return at_ == end_; }
  char peek() const { return at_ == end_ ? '\n' : *at_; }

  // Goes to the next word of this line; false at its end.
  bool next_in_line() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    return at_ != end_ && *at_ != '\n';
  }
  void next_line() {
    while (at_ != end_ && *at_ != '\n') ++at_;
    if (at_ != end_) ++at_;
  }
  // Goes to the next word of this or a later line; false at the end of the text.
  bool next() {
    while (at_ != end_ && (is_blank(*at_) || *at_ == '\n')) ++at_;
    return at_ != end_;
  }
  std::string_view word() {
    const char* begin = at_;
    while (at_ != end_ && !is_blank(*at_) && *at_ != '\n') ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  // The whole number here; `what` names it in the message if there is none.
  std::uint64_t number(const char* what) {
    if (std::uint64_t value; short_number(value)) return value;
    const char* begin = at_;
    std::uint64_t value = 0;
    while (at_ != end_) {
      const unsigned digit = static_cast<unsigned char>(*at_) - unsigned{'0'};
      if (digit > 9) break;
      if (value >= kDanger && (value > kMost / 10 || value * 10 > kMost - digit)) refuse_number(begin, what);
      value = value * 10 + digit;
      ++at_;
    }
    if (at_ == begin || (at_ != end_ && !is_blank(*at_) && *at_ != '\n')) refuse_number(begin, what);
    return value;
  }

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kDanger = kMost / 10;

  // One to seven digits and what ends them, eight bytes at a time: the place of the first byte that is no digit gives the
  // length, and three multiplications add neighbouring digits, pairs and quadruples. Anything else is left alone.
  bool short_number(std::uint64_t& value) {
    if (std::endian::native != std::endian::little || end_ - at_ < 8) return false;
    std::uint64_t bytes;
    std::memcpy(&bytes, at_, sizeof bytes);
    bytes ^= 0x3030303030303030;  // a digit is now its value
    const std::uint64_t others = ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;  // right up to the first one
    if (others == 0) return false;
    const int length = std::countr_zero(others) / 8;
    if (length == 0 || !(is_blank(at_[length]) || at_[length] == '\n')) return false;
    bytes <<= 64 - 8 * length;
    bytes = (bytes * ((10 << 8) + 1)) >> 8 & 0x00FF00FF00FF00FF;
    bytes = (bytes * ((100 << 16) + 1)) >> 16 & 0x0000FFFF0000FFFF;
    value = (bytes * ((std::uint64_t{10000} << 32) + 1)) >> 32;
    at_ += length;
    return true;
  }

  [[noreturn]] void refuse_number(const char* begin, const char* what) {
    at_ = begin;
    const std::string_view text = word();
    if (text.find('\0') != std::string_view::npos) throw Fault{begin, "a NUL byte: this is not a text file"};
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (whole && digits.size() < text.size()) throw Fault{begin, std::string(what) + " " + shown(text) + " is negative"};
    if (whole) throw Fault{begin, std::string(what) + " " + shown(text) + " does not fit 64 bits"};
    throw Fault{begin, std::string(what) + " expected, found " + (text.empty() ? "nothing" : shown(text))};
  }

  const char* at_;
  const char* end_;
};

}  // namespace antipode
