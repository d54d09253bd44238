#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

/// How much larger the terms are than their sum.
double condition(const ReferencePoint& at) {
  const auto& p = at.parameters;
  const double u = (2 * at.x - p.at("a") - p.at("b")) / (p.at("b") - p.at("a"));
  double sum = 1;
  double size = 1;
  for (int k = 1; k <= 4; ++k) {
    const double c = p.at("c" + std::to_string(k));
    sum += c * std::cos(k * std::acos(u));
    size += std::abs(c);
  }
  return size / sum;
}

TEST(Chebyshev, AgreesWithTheReference) {
  expect_reference(
      {.function = "chebyshev",
       .record = "chebyshev",
       .arguments = {"a", "b", "c1", "c2", "c3", "c4"},
       .largest_term = [](const ReferencePoint& at, const std::string&) { return condition(at); },
       .condition = &condition});
}

TEST(Chebyshev, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("chebyshev", {-1, 2, 0.3, 0.2, 0.05, 0.1, 0.2}, -1, 2);
  expect_integral("chebyshev", {-1, 2, 0.3, 0.2, 0.05, 0.1, 0.2}, -0.5, 1.5);
  expect_integral("chebyshev", {0, 1, 0.5}, 0.25, 0.75);
}

TEST(Chebyshev, IsNothingOutside) {
  EXPECT_EQ(value_at("chebyshev", {0, 1, 0.5, 0.1}, -0.001), 0.0);
  for (const double slope : slopes_at("chebyshev", {0, 1, 0.5, 0.1}, -0.001)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("chebyshev", {0, 1, 0.5, 0.1}, 1e300), 0.0);
  for (const double slope : slopes_at("chebyshev", {0, 1, 0.5, 0.1}, 1e300)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(Chebyshev, HasSecondDerivatives) {
  expect_hessian("chebyshev", {0, 1, 0.5, 0.1}, {0.1, 0.5, 0.9});
}

}  // namespace
}  // namespace weir::model
