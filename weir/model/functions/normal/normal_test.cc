#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Normal, AgreesWithTheReference) {
  expect_reference({.function = "normal",
                    .record = "normal",
                    .arguments = {"mu", "sigma"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const double sigma = at.parameters.at("sigma");
                      const double d = at.x - at.parameters.at("mu");
                      return parameter == "sigma"
                                 ? std::max(1 / sigma, d * d / (sigma * sigma * sigma))
                                 : 0.0;
                    }});
}

TEST(Normal, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("normal", {0.5, 0.1}, -1, 2);
  expect_integral("normal", {0.5, 0.1}, 0.2, 0.9);
  expect_integral("normal", {0.5, 0.1}, 0.9, 1.4);
  expect_integral("normal", {0.5, 0.1}, -0.4, 0.1);
}

TEST(Normal, HasSecondDerivatives) {
  expect_hessian("normal", {0.5, 0.1}, {0.1, 0.5, 0.7});
}

}  // namespace
}  // namespace weir::model
