// Student's t distribution: how far a mean of few values may be off.
#pragma once

namespace antipode {

// The t with P(T <= t) = probability, for 0.5 <= probability < 1 and `freedom` >= 1 degrees of
// freedom. Relative error below 2e-6.
double student_quantile(double probability, double freedom);

}  // namespace antipode
