#include "experiments/report/probability.h"

#include <cmath>

namespace reducelab {
namespace {

/// The continued fraction by the modified method of Lentz; converges fast for x < (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr double kPrecision = 1e-16;
  constexpr int kMostTerms = 100'000;
  const auto away_from_zero = [](double value) { return std::fabs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m < kMostTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= d * c;
    if (std::fabs(d * c - 1) < kPrecision) break;
  }
  return fraction;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double log_factor =
      a * std::log(x) + b * std::log1p(-x) + std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b);
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_factor) * beta_fraction(a, b, x) / a;
  return 1 - std::exp(log_factor) * beta_fraction(b, a, 1 - x) / b;
}

double student_t_quantile(double p, double degrees) {
  const auto above = [degrees](double t) {  // P(T > t)
    return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2;
  };
  double low = 0;
  double high = 1;
  while (above(high) > 1 - p) high *= 2;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (above(middle) > 1 - p ? low : high) = middle;
  }
  return (low + high) / 2;
}

double binomial_cdf(std::int64_t k, std::int64_t n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return incomplete_beta(static_cast<double>(n - k), static_cast<double>(k) + 1, 1 - p);
}

}  // namespace reducelab
