#include "sim/scenario/distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace reducelab {
namespace {

constexpr std::array<DistributionKind, 6> kKinds{
    DistributionKind::fixed,      DistributionKind::uniform,     DistributionKind::normal,
    DistributionKind::log_normal, DistributionKind::exponential, DistributionKind::pareto};

constexpr std::array<DistributionParameter, 1> kFixed{{{"value", true, true}}};
constexpr std::array<DistributionParameter, 2> kUniform{
    {{"low", true, true}, {"high", true, true}}};
constexpr std::array<DistributionParameter, 2> kNormal{{{"mean", true, true}, {"sd", true, true}}};
constexpr std::array<DistributionParameter, 2> kLogNormal{
    {{"median", true, true}, {"sigma", false, true}}};
constexpr std::array<DistributionParameter, 2> kExponential{
    {{"mean", true, true}, {"offset", true, false}}};
constexpr std::array<DistributionParameter, 2> kPareto{
    {{"scale", true, true}, {"shape", false, true}}};

using Coefficients = std::array<double, 8>;

/// Horner's rule; coefficients from the lowest power up.
double polynomial(const Coefficients& coefficients, double x) {
  double sum = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

// The constants of PPND16: the middle, the shoulders and the tails.
constexpr Coefficients kMiddleAbove{3.3871328727963666080e0,  1.3314166789178437745e+2,
                                    1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                    4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                    3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr Coefficients kMiddleBelow{1.0,
                                    4.2313330701600911252e+1,
                                    6.8718700749205790830e+2,
                                    5.3941960214247511077e+3,
                                    2.1213794301586595867e+4,
                                    3.9307895800092710610e+4,
                                    2.8729085735721942674e+4,
                                    5.2264952788528545610e+3};
constexpr Coefficients kShoulderAbove{1.42343711074968357734e0,  4.63033784615654529590e0,
                                      5.76949722146069140550e0,  3.64784832476320460504e0,
                                      1.27045825245236838258e0,  2.41780725177450611770e-1,
                                      2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Coefficients kShoulderBelow{1.0,
                                      2.05319162663775882187e0,
                                      1.67638483018380384940e0,
                                      6.89767334985100004550e-1,
                                      1.48103976427480074590e-1,
                                      1.51986665636164571966e-2,
                                      5.47593808499534494600e-4,
                                      1.05075007164441684324e-9};
constexpr Coefficients kTailAbove{6.65790464350110377720e0,  5.46378491116411436990e0,
                                  1.78482653991729133580e0,  2.96560571828504891230e-1,
                                  2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                  2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr Coefficients kTailBelow{1.0,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};

double normal_below(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

}  // namespace

std::string_view name_of(DistributionKind kind) {
  switch (kind) {
    case DistributionKind::fixed:
      return "fixed";
    case DistributionKind::uniform:
      return "uniform";
    case DistributionKind::normal:
      return "normal";
    case DistributionKind::log_normal:
      return "log-normal";
    case DistributionKind::exponential:
      return "exponential";
    case DistributionKind::pareto:
      return "pareto";
  }
  return {};
}

std::span<const DistributionKind> all_distribution_kinds() {
  return kKinds;
}

std::span<const DistributionParameter> parameters_of(DistributionKind kind) {
  switch (kind) {
    case DistributionKind::fixed:
      return kFixed;
    case DistributionKind::uniform:
      return kUniform;
    case DistributionKind::normal:
      return kNormal;
    case DistributionKind::log_normal:
      return kLogNormal;
    case DistributionKind::exponential:
      return kExponential;
    case DistributionKind::pareto:
      return kPareto;
  }
  return {};
}

double normal_quantile(double u) {
  const double q = u - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kMiddleAbove, r) / polynomial(kMiddleBelow, r);
  }
  const double tail = q < 0 ? u : 1 - u;
  if (tail <= 0) return std::copysign(std::numeric_limits<double>::infinity(), q);
  const double r = std::sqrt(-std::log(tail));
  const double x = r <= 5
                       ? polynomial(kShoulderAbove, r - 1.6) / polynomial(kShoulderBelow, r - 1.6)
                       : polynomial(kTailAbove, r - 5) / polynomial(kTailBelow, r - 5);
  return std::copysign(x, q);
}

double quantile(const Distribution& distribution, double u) {
  const auto& [kind, first, second] = distribution;
  switch (kind) {
    case DistributionKind::fixed:
      return first;
    case DistributionKind::uniform:
      return first + (second - first) * u;
    case DistributionKind::normal:
      if (second == 0) return std::max(0.0, first);
      return std::max(0.0, first + second * normal_quantile(u));
    case DistributionKind::log_normal:
      if (second == 0) return first;
      return first * std::exp(second * normal_quantile(u));
    case DistributionKind::exponential:
      return second - first * std::log1p(-u);
    case DistributionKind::pareto:
      return first * std::pow(1 - u, -1 / second);
  }
  return 0;
}

double mean_of(const Distribution& distribution) {
  const auto& [kind, first, second] = distribution;
  switch (kind) {
    case DistributionKind::fixed:
      return first;
    case DistributionKind::uniform:
      return (first + second) / 2;
    case DistributionKind::normal: {
      if (second == 0) return std::max(0.0, first);
      const double z = first / second;
      const double density = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
      return first * normal_below(z) + second * density;
    }
    case DistributionKind::log_normal:
      return first * std::exp(second * second / 2);
    case DistributionKind::exponential:
      return second + first;
    case DistributionKind::pareto:
      return second > 1 ? first * second / (second - 1) : std::numeric_limits<double>::infinity();
  }
  return 0;
}

}  // namespace reducelab
