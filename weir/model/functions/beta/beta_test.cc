#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Beta, AgreesWithTheReference) {
  expect_reference({.function = "beta",
                    .record = "beta",
                    .arguments = {"a", "b"},
                    .log_tolerance = 1e-14,
                    .slope_tolerance = 1e-12,
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const auto& p = at.parameters;
                      return std::max({1.0, std::abs(std::log(at.x)), std::abs(std::log1p(-at.x)),
                                       p.at(parameter) >= 1000 ? 10.0 : 0.0});
                    }});
}

TEST(Beta, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("beta", {2, 3}, 0, 1);
  expect_quadrature("beta", {2, 3}, 0.2, 0.4, 0.34400000000000002132);
  expect_quadrature("beta", {1000, 2000}, 0.32, 0.34, 0.72130406330521630171);
}

TEST(Beta, IsNothingOutside) {
  EXPECT_EQ(value_at("beta", {2, 3}, -1.0), 0.0);
  for (const double slope : slopes_at("beta", {2, 3}, -1.0)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("beta", {2, 3}, 0.0), 0.0);
  for (const double slope : slopes_at("beta", {2, 3}, 0.0)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("beta", {2, 3}, 1.0), 0.0);
  for (const double slope : slopes_at("beta", {2, 3}, 1.0)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("beta", {2, 3}, 1.5), 0.0);
  for (const double slope : slopes_at("beta", {2, 3}, 1.5)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(Beta, HasSecondDerivatives) {
  expect_hessian("beta", {2, 3}, {0.1, 0.5, 0.9});
}

TEST(BetaOfLargeShape, HasSecondDerivatives) {
  expect_hessian("beta", {20, 30}, {0.3, 0.4, 0.5});
}

}  // namespace
}  // namespace weir::model
