#include "measure/ratio_error.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "measure/student.hpp"

namespace antipode {

namespace {

// Skewness of the changes, divided by the square root of their number: 1 if a single source makes
// all the difference, about 0.7 if two do, 0.45 if five of many do.
double relative_skewness(const std::vector<double>& changes) {
  const double count = static_cast<double>(changes.size());
  const double mean = std::accumulate(changes.begin(), changes.end(), 0.0) / count;
  double squares = 0, cubes = 0;
  for (const double change : changes) {
    const double off = change - mean;
    squares += off * off;
    cubes += off * off * off;
  }
  return squares > 0 ? std::abs(cubes) / std::pow(squares, 1.5) : 1;
}

}  // namespace

std::optional<double> ratio_error(std::span<const SampledSource> sources, Vertex order,
                                  double mean) {
  constexpr double kMisses = 0.05, kSkew = 6, kMostSkewness = 0.4;
  double reached = 0, count = 0;
  for (const SampledSource& source : sources) {
    reached += source.others;
    count += source.others > 0 ? 1 : 0;
  }
  if (count < 2) return std::nullopt;
  double squares = 0;
  std::vector<double> changes;
  for (const auto& [sum, others] : sources) {
    if (others == 0) continue;
    changes.push_back((sum - mean * others) / (reached - others));
    squares += changes.back() * changes.back();
  }
  if (relative_skewness(changes) > kMostSkewness) return std::nullopt;
  const double drawn =
      1 - static_cast<double>(sources.size()) / order;  // a sample of everything has no error
  const double misses = kMisses / (1 + kSkew / count);
  const double width = student_quantile(1 - misses / 2, count - 1) *
                       std::sqrt(drawn * squares * (count - 1) / count);
  constexpr double kRounding = 1e-12;
  return width > kRounding * mean ? std::optional(width) : std::nullopt;
}

}  // namespace antipode
