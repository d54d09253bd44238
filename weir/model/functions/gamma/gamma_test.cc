#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Gamma, AgreesWithTheReference) {
  expect_reference({.function = "gamma",
                    .record = "gamma",
                    .arguments = {"k", "theta"},
                    .slope_tolerance = 1e-12,
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const auto& p = at.parameters;
                      const double k = p.at("k");
                      return k >= 1e4           ? (parameter == "k" ? 100.0 : k / p.at("theta"))
                             : parameter == "k" ? std::max(1.0, std::abs(std::log(at.x)))
                                                : std::max(k / p.at("theta"), at.x);
                    }});
}

TEST(Gamma, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("gamma", {2, 1}, 0, 60);
  expect_quadrature("gamma", {10000, 0.01}, 99, 101, 0.68269755825361496208);
  expect_quadrature("gamma", {40, 0.5}, 0, 80);
}

TEST(Gamma, IsNothingOutside) {
  EXPECT_EQ(value_at("gamma", {3.5, 1.2}, -1.0), 0.0);
  for (const double slope : slopes_at("gamma", {3.5, 1.2}, -1.0)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("gamma", {3.5, 1.2}, 0.0), 0.0);
  for (const double slope : slopes_at("gamma", {3.5, 1.2}, 0.0)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(Gamma, HasSecondDerivatives) {
  expect_hessian("gamma", {3.5, 1.2}, {1.0, 4.0, 5.1});
}

TEST(GammaOfLargeShape, HasSecondDerivatives) {
  expect_hessian("gamma", {30, 1.2}, {20.0, 36.0, 50.0});
}

}  // namespace
}  // namespace weir::model
