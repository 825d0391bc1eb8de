// Lengths as whole numbers. Decimals are multiples of the smallest power of ten that occurs; their
// greatest common divisor is taken out. If that does not fit 63 bits, each is taken as the nearest
// double, which is a multiple of a power of two.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "antipode/error.hpp"
#include "graph/limits.hpp"
#include "graph/parallel.hpp"
#include "io/lengths.hpp"

namespace antipode {

namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr Length kLongest = (Length{1} << 63) - 1;
constexpr std::uint64_t kMostFactor = ~std::uint64_t{0};

using Decimals = std::vector<std::vector<Decimal>>;

std::uint64_t remove_infinite(std::vector<std::vector<Edge>>& edges, Decimals& lengths) {
  std::uint64_t removed = 0;
  for (std::size_t list = 0; list < edges.size(); ++list) {
    stop_if_asked();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < edges[list].size(); ++i) {
      if (lengths[list][i].is_infinite()) continue;
      edges[list][kept] = edges[list][i];
      lengths[list][kept++] = lengths[list][i];
    }
    removed += edges[list].size() - kept;
    edges[list].resize(kept);
    lengths[list].resize(kept);
  }
  return removed;
}

template <class Visit>
void for_each(const Decimals& lengths, Visit visit) {
  for (const auto& list : lengths) {
    stop_if_asked();
    for (const Decimal& length : list) visit(length);
  }
}

Wide common_divisor(Wide a, Wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

// value × base^exponent; nothing if that is 2^127 or more.
std::optional<Wide> times_power(Wide value, unsigned base, int exponent) {
  constexpr Wide kMost = ~Wide{0} >> 1;
  for (; exponent > 0 && value > 0; --exponent) {
    if (value > kMost / base) return std::nullopt;
    value *= base;
  }
  return value;
}

// A length as value × base^exponent.
struct Part {
  std::uint64_t value;
  int exponent;
};

// Lengths as multiples of divisor × base^least.
struct Scale {
  unsigned base;
  int least = std::numeric_limits<int>::max();
  std::uint64_t divisor = 1;
};

// Nothing if some multiple is 2^63 or more.
template <class PartOf>
std::optional<Scale> common_scale(const Decimals& lengths, unsigned base, PartOf part_of) {
  Scale scale{base};
  for_each(lengths, [&](const Decimal& length) {
    const Part part = part_of(length);
    if (part.value != 0) scale.least = std::min(scale.least, part.exponent);
  });
  Wide divisor = 0, most = 0;
  bool fits = true;
  for_each(lengths, [&](const Decimal& length) {
    const Part part = part_of(length);
    const auto scaled = times_power(part.value, base, part.exponent - scale.least);
    fits &= scaled.has_value();
    if (!fits || part.value == 0) return;
    most = std::max(most, *scaled);
    if (divisor != 1) divisor = common_divisor(*scaled, divisor);
  });
  if (most == 0) return fits ? std::optional(Scale{base, 0, 1}) : std::nullopt;
  if (!fits || most / divisor > kLongest || divisor > kMostFactor) return std::nullopt;
  scale.divisor = static_cast<std::uint64_t>(divisor);
  return scale;
}

template <class PartOf>
std::vector<std::vector<Length>> multiples(Decimals& lengths, const Scale& scale, PartOf part_of) {
  std::vector<std::vector<Length>> result(lengths.size());
  in_pieces(lengths.size(), 1, static_cast<int>(threads()),
            [&](std::size_t first, std::size_t last, int) {
              for (std::size_t list = first; list < last; ++list) {
                stop_if_asked();
                result[list].reserve(lengths[list].size());
                for (const Decimal& length : lengths[list]) {
                  const Part part = part_of(length);
                  const Wide scaled =
                      *times_power(part.value, scale.base, part.exponent - scale.least);
                  result[list].push_back(static_cast<Length>(scaled / scale.divisor));
                }
                lengths[list] = {};
              }
            });
  return result;
}

// divisor × base^least as a factor, as far as that fits, and a power.
LengthUnit unit_of(const Scale& scale) {
  std::uint64_t factor = scale.divisor;
  int power = scale.least;
  for (; power > 0 && factor <= kMostFactor / scale.base; --power) factor *= scale.base;
  return {.factor = factor,
          .decimals = scale.base == 10 ? -power : 0,
          .halvings = scale.base == 2 ? -power : 0};
}

Part decimal_part(const Decimal& length) { return {length.digits, length.exponent}; }

// Infinite or 0 if no double is near.
double nearest_double(const Decimal& length) {
  if (length.is_double()) return std::bit_cast<double>(length.digits);
  const std::string text = fmt::format("{}e{}", length.digits, length.exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{}) return value;
  return length.exponent > 0 ? std::numeric_limits<double>::infinity() : 0;
}

Part binary_part(const Decimal& length) {
  if (length.digits == 0) return {0, 0};
  int exponent = 0;
  const auto value =
      static_cast<std::uint64_t>(std::ldexp(std::frexp(nearest_double(length), &exponent), 53));
  const int zeros = std::countr_zero(value);
  return {value >> zeros, exponent - 53 + zeros};
}

void scale(Decimals& lengths, const std::string& name, ScaledLengths& result) {
  const bool has_digits =
      std::all_of(lengths.begin(), lengths.end(), [](const std::vector<Decimal>& list) {
        return std::none_of(list.begin(), list.end(), std::mem_fn(&Decimal::is_double));
      });
  if (has_digits) {
    if (const auto scale = common_scale(lengths, 10, decimal_part)) {
      result.lists = multiples(lengths, *scale, decimal_part);
      result.unit = unit_of(*scale);
      return;
    }
  }
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for_each(lengths, [&](const Decimal& length) {
    if (length.digits == 0) return;
    least = std::min(least, nearest_double(length));
    most = std::max(most, nearest_double(length));
  });
  const bool are_doubles = least > 0 && std::isfinite(most);
  const auto scale = are_doubles ? common_scale(lengths, 2, binary_part) : std::optional<Scale>();
  if (!scale)
    throw InputError(
        name, fmt::format("lengths from {} to {} cannot be held exactly: as multiples of one unit "
                          "they do not fit 63 bits; round them to fewer digits",
                          least, most));
  result.lists = multiples(lengths, *scale, binary_part);
  result.unit = unit_of(*scale);
  result.notices.emplace_back(
      "lengths have more digits than fit 63 bits: each is taken as the nearest 64-bit "
      "floating-point number, and sums of these are exact");
}

}  // namespace

ScaledLengths scale_lengths(std::vector<std::vector<Edge>>& edges, Decimals lengths,
                            const std::string& name) {
  ScaledLengths result;
  std::uint64_t count = 0;
  bool infinite = false;
  for_each(lengths, [&](const Decimal& length) {
    ++count;
    infinite |= length.is_infinite();
  });
  if (infinite)
    result.notices.push_back(
        fmt::format("{} edges of infinite length are left out", remove_infinite(edges, lengths)));
  refuse_bytes(count * sizeof(Length), "lengths of " + name);
  scale(lengths, name, result);
  return result;
}

}  // namespace antipode
