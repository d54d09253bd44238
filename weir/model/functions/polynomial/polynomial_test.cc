#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Polynomial, AgreesWithTheReference) {
  expect_reference({.function = "polynomial",
                    .record = "polynomial",
                    .arguments = {"a", "b", "c1", "c2", "c3"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const auto& p = at.parameters;
                      const double here =
                          1 + at.x * (p.at("c1") + at.x * (p.at("c2") + at.x * p.at("c3")));
                      const double end = std::max(std::abs(p.at("a")), std::abs(p.at("b")));
                      const double whole =
                          1 + end * (std::abs(p.at("c1")) +
                                     end * (std::abs(p.at("c2")) + end * std::abs(p.at("c3"))));
                      const double k = parameter[1] - '0';
                      return std::max(std::pow(std::abs(at.x), k) / here, std::pow(end, k) / whole);
                    }});
}

TEST(Polynomial, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("polynomial", {-1, 2, 0.3, 0.2, 0.05, 0.1, 0.2}, -1, 2);
  expect_integral("polynomial", {-1, 2, 0.3, 0.2, 0.05, 0.1, 0.2}, -0.5, 1.5);
  expect_integral("polynomial", {0, 1, 0.5}, 0.25, 0.75);
}

TEST(Polynomial, IsNothingOutside) {
  EXPECT_EQ(value_at("polynomial", {0, 1, 0.5, 0.1}, -0.001), 0.0);
  for (const double slope : slopes_at("polynomial", {0, 1, 0.5, 0.1}, -0.001)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("polynomial", {0, 1, 0.5, 0.1}, 1e300), 0.0);
  for (const double slope : slopes_at("polynomial", {0, 1, 0.5, 0.1}, 1e300)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(Polynomial, HasSecondDerivatives) {
  expect_hessian("polynomial", {0, 1, 0.5, 0.1}, {0.1, 0.5, 0.9});
}

}  // namespace
}  // namespace weir::model
