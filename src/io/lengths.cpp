// Lengths as text gives them.
#include "io/lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "io/formats.hpp"
#include "io/sample.hpp"
#include "io/tokens.hpp"

namespace antipode {

namespace {

constexpr int kMostPower = 400;  // of ten: doubles reach 308

constexpr char kMixed[] = "an edge {} a length, where the edges before have {}";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool equals(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a | 0x20) == b; });
}

[[noreturn]] void refuse(std::string_view word, const char* why) {
  throw Fault{word.data(), "the length " + show(word) + why};
}

// Digits and at most one decimal point, from `at` on; leaves `at` behind them.
struct Mantissa {
  std::uint64_t digits = 0;
  std::int64_t exponent = 0;
  bool any = false, fits = true;  // fits: all digits are there
};
Mantissa mantissa_of(std::string_view word, std::size_t& at) {
  Mantissa result;
  std::int64_t zeros = 0;  // seen, and not yet part of the digits
  bool point = false;
  for (; at < word.size(); ++at) {
    if (!point && (word[at] == '.' || word[at] == ',')) {
      point = true;
      continue;
    }
    if (!is_digit(word[at])) break;
    result.any = true;
    if (point) --result.exponent;
    if (word[at] == '0') {
      if (result.digits != 0) ++zeros;
      continue;
    }
    for (++zeros; zeros > 0 && result.fits; --zeros)
      result.fits = !__builtin_mul_overflow(result.digits, 10u, &result.digits);
    zeros = 0;
    const auto digit = static_cast<std::uint64_t>(word[at] - '0');
    result.fits &= !__builtin_add_overflow(result.digits, digit, &result.digits);
  }
  result.exponent += zeros;
  return result;
}

// "e-5" at the end of a word.
int power_of(std::string_view word, std::size_t at) {
  if (at == word.size()) return 0;
  if ((word[at] | 0x20) != 'e') refuse(word, " is no number");
  const std::size_t sign = at + 1 < word.size() && word[at + 1] == '+' ? 2 : 1;
  int value = 0;
  const char* const end = word.data() + word.size();
  const auto [past, error] = std::from_chars(word.data() + at + sign, end, value);
  if (past != end || error == std::errc::invalid_argument) refuse(word, " is no number");
  if (error != std::errc{} || std::abs(value) > 2 * kMostPower)
    refuse(word, " is beyond all range");
  return value;
}

double double_of(std::string_view word) {
  std::string text(word.substr(word.starts_with('+') || word.starts_with('-') ? 1 : 0));
  std::replace(text.begin(), text.end(), ',', '.');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) refuse(word, " has too many digits for its size");
  return value;
}

// The value of the attribute 'weight'; empty: there is none.
std::string_view weight_in_braces(std::string_view attributes) {
  constexpr std::string_view kKey = "'weight':";
  const std::size_t found = attributes.find(kKey);
  if (found == std::string_view::npos) return {};
  attributes.remove_prefix(found + kKey.size());
  attributes.remove_prefix(std::min(attributes.find_first_not_of(' '), attributes.size()));
  return attributes.substr(0, attributes.find_first_of(" ,}"));
}

}  // namespace

Decimal decimal_of(std::string_view word) {
  const bool negative = word.starts_with('-');
  std::size_t at = negative || word.starts_with('+') ? 1 : 0;
  const std::string_view name = word.substr(at);
  if (equals(name, "nan")) refuse(word, " is not a number");
  if (equals(name, "inf") || equals(name, "infinity")) {
    if (negative) refuse(word, " is negative");
    return {0, Decimal::kInfinite};
  }
  const Mantissa mantissa = mantissa_of(word, at);
  if (!mantissa.any)
    throw Fault{word.data(), "a length expected, found " + (word.empty() ? "nothing" : show(word))};
  const int power = power_of(word, at);
  if (mantissa.digits == 0 && mantissa.fits) return {};
  if (negative) refuse(word, " is negative");
  if (!mantissa.fits) return {std::bit_cast<std::uint64_t>(double_of(word)), Decimal::kDouble};
  const std::int64_t exponent = mantissa.exponent + power;
  if (std::abs(exponent) > kMostPower) refuse(word, " is beyond all range");
  return {mantissa.digits, static_cast<std::int32_t>(exponent)};
}

void BlockLengths::add(std::string_view word, const char* edge) {
  if (!edges_) first_ = edge;
  if (edges_ && list_.empty()) throw Fault{edge, fmt::format(kMixed, "with", "none")};
  edges_ = true;
  try {
    push_charged(list_, decimal_of(word));
  } catch (const Fault& fault) {  // the word may be a copy
    throw Fault{edge, fault.what};
  }
  commas_ |= word.find(',') != std::string_view::npos;
}

void BlockLengths::take(std::string_view word, const char* edge) {
  if (word.starts_with('{')) word = weight_in_braces(word);
  word.empty() ? lack(edge) : add(word, edge);
}

void BlockLengths::lack(const char* edge) {
  if (!edges_) first_ = edge;
  if (!list_.empty()) throw Fault{edge, fmt::format(kMixed, "without", "one")};
  edges_ = true;
}

std::uint64_t take_length(Tokens& tokens, const char* line, BlockLengths& lengths) {
  if (!tokens.next_in_line()) {
    lengths.lack(line);
    return 0;
  }
  Tokens copy = tokens;
  if (tokens.peek() == '{') {
    const std::string_view rest = tokens.rest_of_line();
    lengths.take(rest, line);
    return 1;
  }
  bool any = true;
  lengths.add(tokens.word(), line);
  return further_columns(copy.rest_of_line(), any);
}

void FileLengths::take(BlockLengths&& block) {
  if (block.edges_) {
    const bool has = !block.list_.empty();
    if (edges_ && has != any_)
      throw Fault{block.first_,
                  fmt::format(kMixed, has ? "with" : "without", has ? "none" : "one")};
    edges_ = true;
    any_ = has;
    commas_ |= block.commas_;
  }
  lists_.push_back(std::move(block.list_));
}

void FileLengths::move_to(ParsedGraph& graph) {
  graph.has_lengths = any_;
  graph.lengths = std::move(lists_);
  if (commas_) graph.notices.emplace_back("commas in lengths are taken as decimal points");
}

void move_lengths(BlockLengths&& edges, BlockLengths&& both_ways, ParsedGraph& graph) {
  FileLengths all;
  all.take(std::move(edges));
  all.take(std::move(both_ways));
  all.move_to(graph);
  graph.both_way_lengths = std::move(graph.lengths.back());
  graph.lengths.pop_back();
}

}  // namespace antipode
