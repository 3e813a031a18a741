#include "experiments/report/probability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace reducelab {
namespace {

TEST(IncompleteBeta, HasItsClosedForms) {
  for (const double x : {0.01, 0.3, 0.5, 0.77, 0.999}) {
    EXPECT_NEAR(incomplete_beta(1, 1, x), x, 1e-13);
    EXPECT_NEAR(incomplete_beta(7, 1, x), std::pow(x, 7), 1e-13);
    EXPECT_NEAR(incomplete_beta(1, 7, x), 1 - std::pow(1 - x, 7), 1e-13);
    // The arcsine distribution.
    EXPECT_NEAR(incomplete_beta(0.5, 0.5, x), 2 / std::numbers::pi * std::asin(std::sqrt(x)),
                1e-13);
  }
  EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
  EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
}

TEST(StudentT, HasTheClosedFormsOfOneTwoAndFourDegrees) {
  for (const double p : {0.6, 0.9, 0.975, 0.999}) {
    // Cauchy; and Shaw, "Sampling Student's T distribution", J. Comp. Finance 9(4), 2006.
    EXPECT_NEAR(student_t_quantile(p, 1) / std::tan(std::numbers::pi * (p - 0.5)), 1, 1e-11);
    const double alpha = 4 * p * (1 - p);
    EXPECT_NEAR(student_t_quantile(p, 2) / (2 * (p - 0.5) * std::sqrt(2 / alpha)), 1, 1e-11);
    const double root = std::sqrt(alpha);
    const double q = std::cos(std::acos(root) / 3) / root;
    EXPECT_NEAR(student_t_quantile(p, 4) / (2 * std::sqrt(q - 1)), 1, 1e-11);
  }
}

TEST(StudentT, AgreesWithThePrintedTable) {
  // NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.2, column 0.975.
  EXPECT_NEAR(student_t_quantile(0.975, 9), 2.262, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 19), 2.093, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 99), 1.984, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.975, 1e7), 1.960, 5e-4);
  EXPECT_NEAR(student_t_quantile(0.5, 5), 0, 1e-12);
}

TEST(BinomialCdf, IsTheSumOfItsTerms) {
  for (const double p : {0.05, 0.5, 0.95}) {
    double sum = 0;
    double ways = 1;
    for (int k = 0; k <= 20; ++k) {
      sum += ways * std::pow(p, k) * std::pow(1 - p, 20 - k);
      ways = ways * (20 - k) / (k + 1);
      EXPECT_NEAR(binomial_cdf(k, 20, p), sum, 1e-12) << k;
    }
  }
  EXPECT_EQ(binomial_cdf(-1, 20, 0.5), 0);
}

}  // namespace
}  // namespace reducelab
