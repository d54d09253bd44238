#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(TruncatedExponential, AgreesWithTheReference) {
  expect_reference({.function = "truncated_exponential",
                    .record = "truncated_exponential",
                    .arguments = {"lambda", "a", "b"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      return std::max(at.x - at.parameters.at("a"),
                                      1 / std::max(1.0, std::abs(at.parameters.at(parameter))));
                    }});
}

TEST(TruncatedExponential, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("truncated_exponential", {1.5, 1, 3}, 1, 3);
  expect_quadrature("truncated_exponential", {-4, 1, 3}, 1, 3);
  expect_integral("truncated_exponential", {1.5, 1, 3}, 1.2, 2.5);
  expect_integral("truncated_exponential", {-4, 1, 3}, 1.2, 2.5);
  expect_integral("truncated_exponential", {1e-3, 1, 3}, 1.2, 2.5);
}

TEST(TruncatedExponential, IsNothingOutside) {
  EXPECT_EQ(value_at("truncated_exponential", {1.5, 1, 3}, 0.999), 0.0);
  for (const double slope : slopes_at("truncated_exponential", {1.5, 1, 3}, 0.999)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("truncated_exponential", {1.5, 1, 3}, 1e300), 0.0);
  for (const double slope : slopes_at("truncated_exponential", {1.5, 1, 3}, 1e300)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(TruncatedExponential, HasSecondDerivatives) {
  expect_hessian("truncated_exponential", {1.5, 1, 3}, {1.1, 2.0, 2.9});
}

}  // namespace
}  // namespace weir::model
