#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(RelativisticBreitWigner, AgreesWithTheReference) {
  expect_reference({.function = "relativistic_breit_wigner",
                    .record = "relativistic_breit_wigner",
                    .arguments = {"m", "gamma"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const auto& p = at.parameters;
                      const double m = p.at("m");
                      const double g = p.at("gamma");
                      const double off = (at.x - m) * (at.x + m);
                      return parameter == "gamma"
                                 ? 1 / g
                                 : std::max(3 / m,
                                            4 * m * std::abs(off) / (off * off + m * m * g * g));
                    }});
}

TEST(RelativisticBreitWigner, IntegratesToOneAndBetweenEnds) {
  expect_integral("relativistic_breit_wigner", {2, 0.5}, 1e-3, 40, 1e-11);
  expect_integral("relativistic_breit_wigner", {2, 0.5}, 1.5, 3);
  expect_integral("relativistic_breit_wigner", {2, 0.5}, 0.1, 0.4);
}

TEST(RelativisticBreitWigner, IsNothingOutside) {
  EXPECT_EQ(value_at("relativistic_breit_wigner", {2, 0.5}, -2.0), 0.0);
  for (const double slope : slopes_at("relativistic_breit_wigner", {2, 0.5}, -2.0)) {
    EXPECT_EQ(slope, 0.0);
  }
  EXPECT_EQ(value_at("relativistic_breit_wigner", {2, 0.5}, 0.0), 0.0);
  for (const double slope : slopes_at("relativistic_breit_wigner", {2, 0.5}, 0.0)) {
    EXPECT_EQ(slope, 0.0);
  }
}

TEST(RelativisticBreitWigner, HasSecondDerivatives) {
  expect_hessian("relativistic_breit_wigner", {2, 0.5}, {1.0, 2.0, 4.0});
}

}  // namespace
}  // namespace weir::model
