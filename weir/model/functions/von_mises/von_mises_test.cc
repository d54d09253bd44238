#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(VonMises, AgreesWithTheReference) {
  expect_reference({.function = "von_mises",
                    .record = "von_mises",
                    .arguments = {"mu", "kappa"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const double kappa = at.parameters.at("kappa");
                      return parameter == "mu" ? std::abs(kappa) : kappa >= 1e4 ? 1000.0 : 1.0;
                    }});
}

TEST(VonMises, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("von_mises", {1, 2}, -1, 5.283185307179586);
  expect_quadrature("von_mises", {1, 50}, 0.8, 1.2, 0.84095136786324569923);
}

TEST(VonMises, HasSecondDerivatives) {
  expect_hessian("von_mises", {1, 2}, {-1.0, 0.5, 3.0});
}

}  // namespace
}  // namespace weir::model
