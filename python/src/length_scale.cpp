#include "length_scale.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string>

#include "antipode/error.hpp"

namespace antipode::python {

namespace {

constexpr double kMostLength = 9.2e18;  // below 2^63

void check(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= 0) || std::isinf(values[i]))
      throw UsageError("length " + std::to_string(i) + " is " + std::to_string(values[i]) +
                       ": lengths are finite and not negative");
}

void take_out_factor(Scaled& scaled) {
  Length factor = 0;
  for (const Length length : scaled.lengths) factor = std::gcd(factor, length);
  if (factor <= 1) return;
  for (Length& length : scaled.lengths) length /= factor;
  scaled.unit.factor = factor;
}

// The number of binary places: value × 2^places is whole.
int binary_places(double value) {
  if (value == std::floor(value)) return 0;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  const auto whole = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
  return 53 - exponent - std::countr_zero(whole);
}

struct Decimal {
  std::uint64_t digits = 0;
  int places = 0;  // digits × 10^-places
};

Decimal shortest_decimal(double value) {
  std::array<char, 64> text;
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  const char* const exponent = std::find(text.data(), written.ptr, 'e');
  Decimal result;
  for (const char* c = text.data(); c != exponent; ++c) {
    if (*c == '.') continue;
    result.digits = result.digits * 10 + static_cast<std::uint64_t>(*c - '0');
  }
  const auto decimals = exponent - text.data() - 1;
  int power = 0;
  std::from_chars(exponent[1] == '+' ? exponent + 2 : exponent + 1, written.ptr, power);
  result.places = static_cast<int>(std::max<std::ptrdiff_t>(decimals - 1, 0)) - power;
  for (; result.places > 0 && result.digits % 10 == 0 && result.digits > 0; --result.places)
    result.digits /= 10;
  return result;
}

}  // namespace

std::optional<Scaled> scale_exactly(std::span<const double> values) {
  check(values);
  int places = 0;
  for (const double value : values) places = std::max(places, binary_places(value));
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (std::ldexp(sum, places) >= 0x1p53) return std::nullopt;
  Scaled scaled{.lengths = {}, .unit = {.factor = 1, .decimals = 0, .halvings = places}};
  scaled.lengths.reserve(values.size());
  for (const double value : values)
    scaled.lengths.push_back(static_cast<Length>(std::ldexp(value, places)));
  take_out_factor(scaled);
  return scaled;
}

std::optional<Scaled> scale_decimals(std::span<const double> values) {
  check(values);
  int places = 0;
  std::vector<Decimal> decimals;
  decimals.reserve(values.size());
  for (const double value : values) {
    decimals.push_back(value == 0 ? Decimal{} : shortest_decimal(value));
    places = std::max(places, decimals.back().places);
  }
  Scaled scaled{.lengths = {}, .unit = {.factor = 1, .decimals = places, .halvings = 0}};
  scaled.lengths.reserve(values.size());
  for (Decimal each : decimals) {
    for (; each.places < places && each.digits > 0; ++each.places) {
      if (static_cast<double>(each.digits) * 10 >= kMostLength) return std::nullopt;
      each.digits *= 10;
    }
    scaled.lengths.push_back(each.digits);
  }
  take_out_factor(scaled);
  return scaled;
}

}  // namespace antipode::python
