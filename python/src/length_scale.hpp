// Lengths of Python's floats as whole numbers of one unit.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "antipode/graph.hpp"
#include "arrays.hpp"

namespace antipode::python {

using UnitTuple = std::tuple<std::uint64_t, int, int>;  // as LengthUnit
using Lengths64 = Given<std::uint64_t>;

inline LengthUnit to_unit(const UnitTuple& unit) {
  return {std::get<0>(unit), std::get<1>(unit), std::get<2>(unit)};
}
inline UnitTuple from_unit(const LengthUnit& unit) {
  return {unit.factor, unit.decimals, unit.halvings};
}

struct Scaled {
  std::vector<Length> lengths;
  LengthUnit unit;
};

// The floats as they are, in units of a power of two. Nothing where the sum of all of them has more
// than 53 bits: then sums of floats are rounded, and sums of lengths are not. UsageError for
// negative lengths and those that are no numbers.
std::optional<Scaled> scale_exactly(std::span<const double> values);

// Every float as the shortest decimal that reads as that float, as a file would have it. Nothing
// where a common unit would need more than 63 bits.
std::optional<Scaled> scale_decimals(std::span<const double> values);

}  // namespace antipode::python
