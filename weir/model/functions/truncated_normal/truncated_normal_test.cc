#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(TruncatedNormal, AgreesWithTheReference) {
  expect_reference({.function = "truncated_normal",
                    .record = "truncated_normal",
                    .arguments = {"mu", "sigma", "lower", "upper"},
                    .log_tolerance = 2e-14,
                    .slope_tolerance = 1e-12,
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const auto& p = at.parameters;
                      const double d = at.x - p.at("mu");
                      const double s = p.at("sigma");
                      return parameter == "sigma" ? std::max(1 / s, d * d / (s * s * s))
                             : parameter == "mu"  ? std::abs(d) / (s * s)
                                                  : 0.0;
                    }});
}

TEST(TruncatedNormal, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("truncated_normal", {0.5, 0.3, 0, 1}, 0, 1);
  expect_quadrature("truncated_normal", {-30, 0.5, 0, 1}, 0, 1);
  expect_quadrature("truncated_normal", {90, 0.5, 0, 1}, 0, 1);
  expect_integral("truncated_normal", {0.5, 0.3, 0, 1}, 0.2, 0.9);
  expect_integral("truncated_normal", {-30, 0.5, 0, 1}, 0.01, 0.2, 1e-11);
}

TEST(TruncatedNormal, IsNothingOutside) {
  EXPECT_EQ(value_at("truncated_normal", {0.5, 0.3, 0, 1}, -1e-9), 0.0);
  for (const double slope : slopes_at("truncated_normal", {0.5, 0.3, 0, 1}, -1e-9)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("truncated_normal", {0.5, 0.3, 0, 1}, 1e300), 0.0);
  for (const double slope : slopes_at("truncated_normal", {0.5, 0.3, 0, 1}, 1e300)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(TruncatedNormal, HasSecondDerivatives) {
  expect_hessian("truncated_normal", {0.5, 0.3, 0, 1}, {0.1, 0.5, 0.9});
}

}  // namespace
}  // namespace weir::model
