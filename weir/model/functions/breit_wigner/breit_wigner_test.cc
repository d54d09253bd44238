#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(BreitWigner, AgreesWithTheReference) {
  expect_reference({.function = "breit_wigner",
                    .record = "breit_wigner",
                    .arguments = {"m", "gamma"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      return parameter == "gamma" ? 1 / at.parameters.at("gamma") : 0.0;
                    }});
}

TEST(BreitWigner, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("breit_wigner", {2, 0.5}, -8, 12, 2 / M_PI * std::atan(40.0));
  expect_integral("breit_wigner", {2, 0.5}, 1.5, 3);
  expect_integral("breit_wigner", {2, 0.5}, 1000, 1400);
}

TEST(BreitWigner, HasSecondDerivatives) {
  expect_hessian("breit_wigner", {2, 0.5}, {1.0, 2.0, 4.0});
}

}  // namespace
}  // namespace weir::model
