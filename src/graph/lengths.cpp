// Lengths in the unit of their file: whole numbers times a factor, a power of ten and a power of
// two.
#include <algorithm>
#include <cmath>

#include "antipode/graph.hpp"

namespace antipode {

namespace {

// Decimal digits, lowest first: exact whatever the size.
class Digits {
 public:
  explicit Digits(LengthSum value) {
    for (; value > 0; value /= 10) digits_.push_back(static_cast<unsigned char>(value % 10));
  }
  void multiply(std::uint64_t by) {
    LengthSum carry = 0;
    for (auto& digit : digits_) {
      carry += static_cast<LengthSum>(by) * digit;
      digit = static_cast<unsigned char>(carry % 10);
      carry /= 10;
    }
    for (; carry > 0; carry /= 10) digits_.push_back(static_cast<unsigned char>(carry % 10));
  }
  std::string text(std::size_t decimals) const {
    std::string result;
    const std::size_t count = std::max(digits_.size(), decimals + 1);
    for (std::size_t i = count; i-- > 0;) {
      result += static_cast<char>('0' + (i < digits_.size() ? digits_[i] : 0));
      if (i == decimals && decimals > 0) result += '.';
    }
    if (decimals == 0) return result;
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
    return result;
  }

 private:
  std::vector<unsigned char> digits_;
};

}  // namespace

// 2^-h is 5^h × 10^-h. Powers may be negative: units of 10^20.
std::string sum_to_text(LengthSum sum, const LengthUnit& unit) {
  Digits digits(sum);
  digits.multiply(unit.factor);
  for (int i = 0; i < unit.halvings; ++i) digits.multiply(5);
  for (int i = 0; i > unit.halvings; --i) digits.multiply(2);
  int decimals = unit.decimals + std::max(unit.halvings, 0);
  for (; decimals < 0; ++decimals) digits.multiply(10);
  return digits.text(static_cast<std::size_t>(decimals));
}

std::string to_text(Length length, const LengthUnit& unit) {
  return length == kNoPath ? "infinite" : sum_to_text(length, unit);
}

double sum_to_double(LengthSum sum, const LengthUnit& unit) {
  const double whole = static_cast<double>(sum) * static_cast<double>(unit.factor);
  return std::ldexp(whole / std::pow(10.0, unit.decimals), -unit.halvings);
}

double to_double(Length length, const LengthUnit& unit) { return sum_to_double(length, unit); }

std::optional<Edge> zero_edge(const Graph& graph) {
  if (!graph.has_lengths()) return std::nullopt;
  const Adjacency adjacency = graph.adjacency();
  for (Vertex v = 0; v < graph.order(); ++v)
    for (EdgeOffset arc = adjacency.offsets[v]; arc < adjacency.offsets[v + 1]; ++arc)
      if (adjacency.length(arc) == 0) return Edge{v, adjacency.targets[arc]};
  return std::nullopt;
}

}  // namespace antipode
