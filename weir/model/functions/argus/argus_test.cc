#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Argus, AgreesWithTheReference) {
  expect_reference({.function = "argus",
                    .record = "argus",
                    .arguments = {"c", "chi"},
                    .log_tolerance = 1e-14,
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const double chi = at.parameters.at("chi");
                      return parameter == "chi" ? std::max(3 / chi, chi)
                                                : 2 / at.parameters.at("c");
                    }});
}

TEST(Argus, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("argus", {5.29, 2.5}, 0, 5.29, 1, 1e-6);
  expect_integral("argus", {5.29, 2.5}, 1, 4);
  expect_integral("argus", {5.29, 0.3}, 1, 4);
}

TEST(Argus, IsNothingOutside) {
  EXPECT_EQ(value_at("argus", {5.29, 2.5}, 0.0), 0.0);
  for (const double slope : slopes_at("argus", {5.29, 2.5}, 0.0)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("argus", {5.29, 2.5}, -1.0), 0.0);
  for (const double slope : slopes_at("argus", {5.29, 2.5}, -1.0)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("argus", {5.29, 2.5}, 5.29), 0.0);
  for (const double slope : slopes_at("argus", {5.29, 2.5}, 5.29)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("argus", {5.29, 2.5}, 6.0), 0.0);
  for (const double slope : slopes_at("argus", {5.29, 2.5}, 6.0)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(Argus, HasSecondDerivatives) {
  expect_hessian("argus", {5.29, 2.5}, {1.0, 4.0, 5.1});
}

}  // namespace
}  // namespace weir::model
