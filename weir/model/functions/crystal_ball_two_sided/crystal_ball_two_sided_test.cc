#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(CrystalBallTwoSided, AgreesWithTheReference) {
  expect_reference({.function = "crystal_ball_two_sided",
                    .record = "crystal_ball_two_sided",
                    .arguments = {"mu", "sigma", "alpha_l", "n_l", "alpha_r", "n_r"},
                    .log_tolerance = 1e-14,
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const auto& p = at.parameters;
                      const double sigma = p.at("sigma");
                      const double d = at.x - p.at("mu");
                      return parameter == "sigma"
                                 ? std::max(1 / sigma, std::abs(d) / (sigma * sigma))
                             : parameter == "mu" ? 0.0
                                                 : 2.0;
                    }});
}

TEST(CrystalBallTwoSided, IntegratesToOneAndBetweenEnds) {
  expect_integral("crystal_ball_two_sided", {1, 0.5, 1.2, 4, 1.5, 3}, -3, 0.7, 1e-9);
  expect_integral("crystal_ball_two_sided", {1, 0.5, 1.2, 4, 1.5, 3}, 0.2, 5, 1e-9);
  expect_integral("crystal_ball_two_sided", {1, 0.5, 1.2, 4, 1.5, 3}, -20, -10);
}

TEST(CrystalBallTwoSided, HasSecondDerivatives) {
  expect_hessian("crystal_ball_two_sided", {1, 0.5, 1.2, 4, 1.5, 3}, {-2.0, 0.3, 1.0, 2.5});
}

}  // namespace
}  // namespace weir::model
