#pragma once

#include <cstdint>

namespace reducelab {

/// I_x(a, b), the regularized incomplete beta function, for a, b > 0 and x in [0, 1], to about
/// 1e-13: the continued fraction 8.17.22 of the NIST Digital Library of Mathematical Functions.
double incomplete_beta(double a, double b, double x);

/// The value that Student's t with `degrees` >= 1 degrees of freedom does not exceed with
/// probability `p` in [0.5, 1).
double student_t_quantile(double p, double degrees);

/// P(X <= k) for the number X of successes in `n` trials of probability `p` each.
double binomial_cdf(std::int64_t k, std::int64_t n, double p);

}  // namespace reducelab
