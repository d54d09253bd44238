#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(CrystalBall, AgreesWithTheReference) {
  expect_reference({.function = "crystal_ball",
                    .record = "crystal_ball",
                    .arguments = {"mu", "sigma", "alpha", "n"},
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

TEST(CrystalBall, IntegratesToOneAndBetweenEnds) {
  expect_integral("crystal_ball", {1, 0.5, 1.2, 4}, -3, 0.7, 1e-9);
  expect_integral("crystal_ball", {1, 0.5, 1.2, 4}, 0.2, 2.5, 1e-9);
  expect_integral("crystal_ball", {1, 0.5, 1.2, 4}, -20, -10);
}

TEST(CrystalBall, HasSecondDerivatives) {
  expect_hessian("crystal_ball", {1, 0.5, 1.2, 4}, {-2.0, 0.3, 1.0, 2.5});
}

}  // namespace
}  // namespace weir::model
