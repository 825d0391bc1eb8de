#include "measure/student.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace antipode {

namespace {

// The continued fraction of the incomplete beta function, by Lentz's method.  [DLMF 8.17.22; Lentz
// 1976]
double beta_fraction(double a, double b, double x) {
  constexpr int kTerms = 10000;
  constexpr double kTiny = 1e-300, kEnough = 1e-15;
  const auto guarded = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / guarded(1 - (a + b) * x / (a + 1)), result = d;
  for (int m = 1; m < kTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {even, odd}) {
      d = 1 / guarded(1 + term * d);
      c = guarded(1 + term / c);
      result *= change = c * d;
    }
    if (std::abs(change - 1) < kEnough) break;
  }
  return result;
}

// The regularized incomplete beta function I_x(a, b).
double beta_share(double a, double b, double x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// P(T > t) for t >= 0.
double upper_tail(double t, double freedom) {
  return beta_share(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
}

}  // namespace

double student_quantile(double probability, double freedom) {
  const double tail = 1 - probability;
  freedom = std::min(
      freedom,
      1e6);  // beyond, the normal distribution is as near, and the beta function loses digits
  double low = 0, high = 1;
  while (upper_tail(high, freedom) > tail && high < std::numeric_limits<double>::max() / 2)
    high *= 2;
  for (int halvings = 0; halvings < 100 && low < high; ++halvings) {
    const double middle = low + (high - low) / 2;
    (upper_tail(middle, freedom) > tail ? low : high) = middle;
  }
  return high;
}

}  // namespace antipode
