// A cursor in text: blanks, line ends, whole numbers, words.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "antipode/error.hpp"
#include "io/blocks.hpp"

namespace antipode {

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A word for a message: short, and printable.
inline std::string show(std::string_view word) {
  constexpr std::size_t kMost = 40, kLongest = 4;  // bytes; the latter of a character
  std::size_t length = std::min(word.size(), kMost);
  for (std::size_t i = 1; i < kLongest && i <= length && length < word.size(); ++i)
    if (const std::size_t whole = character_length(word.substr(length - i)); whole > i) length -= i;
  return "'" + printable(word.substr(0, length)) + (word.size() > kMost ? "…'" : "'");
}

class Tokens {
 public:
  explicit Tokens(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  const char* at() const { return at_; }
  bool at_end() const { return at_ == end_; }
  char peek() const { return at_ == end_ ? '\n' : *at_; }

  // Advances to the next word of this line; false at its end.
  bool next_in_line() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    return at_ != end_ && *at_ != '\n';
  }
  void next_line() {
    while (at_ != end_ && *at_ != '\n') ++at_;
    if (at_ != end_) ++at_;
  }
  // Advances to the next word of this or a later line; false at the end of the text.
  bool next() {
    while (at_ != end_ && (is_blank(*at_) || *at_ == '\n')) ++at_;
    return at_ != end_;
  }
  // Advances to the end of the line; returns the number of words.
  std::uint64_t count_words() {
    std::uint64_t count = 0;
    for (bool before = true; at_ != end_ && *at_ != '\n'; ++at_) {
      const bool blank = is_blank(*at_);
      count += before && !blank ? 1 : 0;
      before = blank;
    }
    return count;
  }
  // The rest of this line.
  std::string_view rest_of_line() {
    const char* begin = at_;
    while (at_ != end_ && *at_ != '\n') ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  std::string_view word() {
    const char* begin = at_;
    while (at_ != end_ && !is_blank(*at_) && *at_ != '\n') ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  // Reads a whole number; `what` names it in the message if there is none.
  std::uint64_t number(const char* what) {
    if (std::uint64_t value; short_number(value)) return value;
    const char* begin = at_;
    std::uint64_t value = 0;
    while (at_ != end_) {
      const unsigned digit = static_cast<unsigned char>(*at_) - unsigned{'0'};
      if (digit > 9) break;
      if (value >= kDanger && (value > kMost / 10 || value * 10 > kMost - digit))
        refuse_number(begin, what);
      value = value * 10 + digit;
      ++at_;
    }
    if (at_ == begin || (at_ != end_ && !is_blank(*at_) && *at_ != '\n'))
      refuse_number(begin, what);
    return value;
  }
  // Reads a line of two short numbers with one blank between them in one step; leaves any other
  // line. Both ends are found before digits are read, so that the next line need not wait for these
  // numbers.
  bool line_of_two(std::uint64_t& first, std::uint64_t& second) {
#ifdef __SSE2__
    if (end_ - at_ < 24) return false;  // reads 16 bytes, and 8 after the first of them
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at_));
    const __m128i values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
    const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    const auto others = static_cast<unsigned>(_mm_movemask_epi8(digits)) ^ 0xFFFFu;
    const int middle = std::countr_zero(others), last = std::countr_zero(others & (others - 1));
    if (last >= 16 || at_[last] != '\n' || !is_blank(at_[middle]) || middle == 0 || middle > 7 ||
        last - middle < 2 || last - middle > 8)
      return false;
    first = value_of(word_at(at_), middle);
    second = value_of(word_at(at_ + middle + 1), last - middle - 1);
    at_ += last + 1;
    return true;
#else
    (void)first, (void)second;
    return false;
#endif
  }

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kDanger = kMost / 10;

  static std::uint64_t word_at(const char* at) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes ^ 0x3030303030303030;  // a digit is now its value
  }
  // The number in the first `length` bytes, 1 to 7. Three multiplications combine digits, pairs and
  // quadruples.
  static std::uint64_t value_of(std::uint64_t bytes, int length) {
    bytes <<= 64 - 8 * length;
    bytes = (bytes * ((10 << 8) + 1)) >> 8 & 0x00FF00FF00FF00FF;
    bytes = (bytes * ((100 << 16) + 1)) >> 16 & 0x0000FFFF0000FFFF;
    return (bytes * ((std::uint64_t{10000} << 32) + 1)) >> 32;
  }
  // Reads one to seven digits and their delimiter, eight bytes at a time; leaves anything else.
  bool short_number(std::uint64_t& value) {
    if (std::endian::native != std::endian::little || end_ - at_ < 8) return false;
    const std::uint64_t bytes = word_at(at_);
    const std::uint64_t others =
        ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;  // correct up to the first one
    if (others == 0) return false;
    const int length = std::countr_zero(others) / 8;
    if (length == 0 || !(is_blank(at_[length]) || at_[length] == '\n')) return false;
    value = value_of(bytes, length);
    at_ += length;
    return true;
  }

  [[noreturn]] void refuse_number(const char* begin, const char* what) {
    at_ = begin;
    const std::string_view text = word();
    if (text.find('\0') != std::string_view::npos)
      throw Fault{begin, "a NUL byte: this is not a text file"};
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    const bool whole =
        !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (whole && digits.size() < text.size())
      throw Fault{begin, std::string(what) + " " + show(text) + " is negative"};
    if (whole) throw Fault{begin, std::string(what) + " " + show(text) + " does not fit 64 bits"};
    const bool decimal = text.find('.') != std::string_view::npos &&
                         text.find_first_not_of("+-.eE0123456789") == std::string_view::npos;
    const char* const reason =
        decimal && std::string_view(what).ends_with("id") ? "; ids are whole numbers or words" : "";
    throw Fault{begin, std::string(what) + " expected, found " +
                           (text.empty() ? "nothing" : show(text)) + reason};
  }

  const char* at_;
  const char* end_;
};

}  // namespace antipode
