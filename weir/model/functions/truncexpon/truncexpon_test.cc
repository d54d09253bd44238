#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Truncexpon, AgreesWithTheReference) {
  expect_reference({.function = "truncexpon",
                    .record = "truncated_exponential_scale",
                    .arguments = {"tau", "a", "b"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const double tau = at.parameters.at(parameter);
                      return (at.x - at.parameters.at("a") + at.parameters.at("b") -
                              at.parameters.at("a") + std::min(tau, 1.0)) /
                             (tau * tau);
                    }});
}

TEST(Truncexpon, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("truncexpon", {0.7, 1, 3}, 1, 3);
  expect_integral("truncexpon", {0.7, 1, 3}, 1.2, 2.5);
  expect_integral("truncexpon", {-0.7, 1, 3}, 1.2, 2.5);
}

TEST(Truncexpon, IsNothingOutside) {
  EXPECT_EQ(value_at("truncexpon", {0.7, 1, 3}, 0.999), 0.0);
  for (const double slope : slopes_at("truncexpon", {0.7, 1, 3}, 0.999)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("truncexpon", {0.7, 1, 3}, 1e300), 0.0);
  for (const double slope : slopes_at("truncexpon", {0.7, 1, 3}, 1e300)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(Truncexpon, HasSecondDerivatives) {
  expect_hessian("truncexpon", {0.7, 1, 3}, {1.1, 2.0, 2.9});
}

}  // namespace
}  // namespace weir::model
