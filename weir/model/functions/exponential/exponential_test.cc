#include <gtest/gtest.h>

#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Exponential, AgreesWithTheReference) {
  expect_reference({.function = "exponential",
                    .record = "exponential",
                    .arguments = {"lambda"},
                    .largest_term = [](const ReferencePoint& at, const std::string&) {
                      return 1 / at.parameters.at("lambda");
                    }});
}

TEST(Exponential, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("exponential", {0.7}, 0, 60);
  expect_integral("exponential", {0.7}, 1, 3);
  EXPECT_EQ(value_at("exponential", {0.7}, -1e300), 0.0);
  EXPECT_EQ(slopes_at("exponential", {0.7}, -1e300)[0], 0.0);
}

TEST(Exponential, HasSecondDerivatives) {
  expect_hessian("exponential", {0.7}, {0.0, 0.5, 7.0});
}

}  // namespace
}  // namespace weir::model
