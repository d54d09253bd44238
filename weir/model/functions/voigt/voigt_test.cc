#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(Voigt, AgreesWithTheReference) {
  expect_reference({.function = "voigt",
                    .record = "voigt",
                    .arguments = {"mu", "sigma", "gamma"},
                    .log_tolerance = 1e-13,
                    .slope_tolerance = 4e-15,
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      // w' = -2 z w + 2i/sqrt(pi), of which little is left far from the peak.
                      const auto& p = at.parameters;
                      const double d = at.x - p.at("mu");
                      const double s = p.at("sigma");
                      const double g = p.at("gamma");
                      const double z_squared = (d * d + g * g) / (2 * s * s);
                      const double value = value_at("voigt", {p.at("mu"), s, g}, at.x);
                      const double term = 1 / (s * s * value * M_PI);
                      return (parameter == "sigma" ? std::sqrt(1 + 2 * z_squared) : 1.0) * term;
                    }});
}

TEST(Voigt, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("voigt", {0, 1, 0.5}, -2, 3, 0.82667143674558666418);
  expect_quadrature("voigt", {91.1876, 1.5, 1.2476}, 60, 120, 0.97343185345178868531);
}

TEST(Voigt, HasSecondDerivatives) {
  expect_hessian("voigt", {0, 1, 0.5}, {-3.0, 0.0, 1.5});
}

}  // namespace
}  // namespace weir::model
