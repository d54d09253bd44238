#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(LogNormal, AgreesWithTheReference) {
  expect_reference({.function = "log_normal",
                    .record = "log_normal",
                    .arguments = {"mu", "sigma"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const auto& p = at.parameters;
                      const double s = p.at("sigma");
                      const double d = std::log(at.x) - p.at("mu");
                      return parameter == "sigma" ? std::max(1 / s, d * d / (s * s * s)) : 0.0;
                    }});
}

TEST(LogNormal, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("log_normal", {1.5, 0.2}, 0, 20);
  expect_integral("log_normal", {1.5, 0.2}, 4, 6);
  expect_integral("log_normal", {1.5, 0.2}, 8, 10);
}

TEST(LogNormal, IsNothingOutside) {
  EXPECT_EQ(value_at("log_normal", {1.5, 0.2}, -1.0), 0.0);
  for (const double slope : slopes_at("log_normal", {1.5, 0.2}, -1.0)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("log_normal", {1.5, 0.2}, 0.0), 0.0);
  for (const double slope : slopes_at("log_normal", {1.5, 0.2}, 0.0)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(LogNormal, HasSecondDerivatives) {
  expect_hessian("log_normal", {1.5, 0.2}, {3.0, 4.5, 5.1});
}

}  // namespace
}  // namespace weir::model
