#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/rng.h"

namespace reducelab {

enum class DistributionKind : std::uint8_t {
  fixed,
  uniform,
  normal,
  log_normal,
  exponential,
  pareto
};

/// A distribution of a non-negative quantity, in the unit of that quantity (seconds or bytes).
struct Distribution {
  DistributionKind kind = DistributionKind::fixed;
  double first = 0;   ///< see the makers below
  double second = 0;  ///< likewise; 0 for `fixed`

  static Distribution fixed(double value) { return {DistributionKind::fixed, value, 0}; }
  static Distribution uniform(double low, double high) {
    return {DistributionKind::uniform, low, high};
  }
  /// What would be below 0 is 0.
  static Distribution normal(double mean, double sd) {
    return {DistributionKind::normal, mean, sd};
  }
  /// `sigma` is the standard deviation of the natural logarithm.
  static Distribution log_normal(double median, double sigma) {
    return {DistributionKind::log_normal, median, sigma};
  }
  /// `offset` plus an exponential of mean `mean`.
  static Distribution exponential(double mean, double offset = 0) {
    return {DistributionKind::exponential, mean, offset};
  }
  /// P(X > x) = (scale / x)^shape for x >= scale.
  static Distribution pareto(double scale, double shape) {
    return {DistributionKind::pareto, scale, shape};
  }

  bool operator==(const Distribution&) const = default;
};

/// A parameter of a kind of distribution, as it is called in TOML files.
struct DistributionParameter {
  std::string_view name;
  bool is_quantity;  ///< has the unit of the quantity; otherwise a plain number
  bool required;     ///< otherwise 0 if left out
};

/// The words of TOML files: `fixed`, `uniform`, `normal`, `log-normal`, `exponential`, `pareto`.
std::string_view name_of(DistributionKind kind);
std::span<const DistributionKind> all_distribution_kinds();
/// What `first` and `second` are, in this order.
std::span<const DistributionParameter> parameters_of(DistributionKind kind);

/// The value that a share `u` in [0, 1) of all draws does not exceed.
double quantile(const Distribution& distribution, double u);

/// The mean; infinite for a Pareto distribution of shape 1 or less.
double mean_of(const Distribution& distribution);

/// Draw number `index` of a stream, by inverse transform: one uniform number each.
inline double draw(const Distribution& distribution, const RandomStream& stream,
                   std::uint64_t index) {
  return quantile(distribution, stream.uniform(index));
}

/// The standard normal distribution's inverse, for u in (0, 1), to about 1e-16 relative: algorithm
/// AS 241, PPND16 (Wichura, Applied Statistics 37, 1988).
double normal_quantile(double u);

}  // namespace reducelab
