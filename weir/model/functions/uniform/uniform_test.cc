#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Uniform, IntegratesToOneAndBetweenEnds) {
  EXPECT_EQ(value_at("uniform", {1, 3}, 1), 0.5);
  EXPECT_EQ(value_at("uniform", {1, 3}, 3), 0.5);
  expect_quadrature("uniform", {1, 3}, 1, 3);
  expect_integral("uniform", {1, 3}, 1.5, 2);
}

TEST(Uniform, IsNothingOutside) {
  EXPECT_EQ(value_at("uniform", {1, 3}, 0.999), 0.0);
  for (const double slope : slopes_at("uniform", {1, 3}, 0.999)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("uniform", {1, 3}, 3.001), 0.0);
  for (const double slope : slopes_at("uniform", {1, 3}, 3.001)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(Uniform, HasSecondDerivatives) {
  expect_hessian("uniform", {1, 3}, {1.5, 2.5});
}

}  // namespace
}  // namespace weir::model
