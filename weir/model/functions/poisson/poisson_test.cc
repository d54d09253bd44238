#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Poisson, AgreesWithTheReference) {
  expect_reference({.function = "poisson",
                    .record = "poisson",
                    .arguments = {"mu"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      return std::max(1.0, at.x / std::max(1e-300, at.parameters.at(parameter)));
                    }});
}

TEST(Poisson, IntegratesToOneAndBetweenEnds) {
  for (const auto& [mu, first, last, expected] :
       {std::tuple(4.0, 0, 10, 0.99716023387948625695),
        std::tuple(4.0, 5, 9, 0.36303082202319261343),
        std::tuple(100.0, 0, 150, 0.99999876690558083996)}) {
    double sum = 0;
    for (int n = first; n <= last; ++n) {
      sum += value_at("poisson", {mu}, n);
    }
    EXPECT_NEAR(sum, expected, 1e-13 * expected) << mu;
  }
}

TEST(Poisson, IsNothingOutside) {
  EXPECT_EQ(value_at("poisson", {4}, -1), 0.0);
  for (const double slope : slopes_at("poisson", {4}, -1)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(Poisson, HasSecondDerivatives) {
  expect_hessian("poisson", {40}, {0, 3, 38, 60});
}

}  // namespace
}  // namespace weir::model
