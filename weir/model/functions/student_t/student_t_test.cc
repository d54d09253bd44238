#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/model/functions/reference_check_internal.h"

namespace weir::model {
namespace {

TEST(StudentT, AgreesWithTheReference) {
  expect_reference({.function = "student_t",
                    .record = "student_t",
                    .arguments = {"mu", "sigma", "nu"},
                    .largest_term = [](const ReferencePoint& at, const std::string& parameter) {
                      const auto& p = at.parameters;
                      const double nu = p.at("nu");
                      const double s = p.at("sigma");
                      return parameter == "sigma" ? 1 / s
                             : parameter == "nu"  ? (nu >= 1e6 ? 1000 / nu : 1.0)
                                                  : 0.0;
                    }});
}

TEST(StudentT, IntegratesToOneAndBetweenEnds) {
  expect_quadrature("student_t", {0, 1, 5}, -1, 1, 0.63678253235087737440);
  expect_quadrature("student_t", {0, 1, 5}, -300, 300);
}

TEST(StudentT, HasSecondDerivatives) {
  expect_hessian("student_t", {0.2, 1.1, 5}, {-1.0, 0.5, 3.0});
}

TEST(StudentTOfManyDegrees, HasSecondDerivatives) {
  expect_hessian("student_t", {0.2, 1.1, 50}, {-1.0, 0.5, 3.0});
}

}  // namespace
}  // namespace weir::model
