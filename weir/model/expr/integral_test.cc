#include "weir/model/expr/integral.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "weir/model/expr/gauss_legendre.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"
#include "weir/model/run/prepared_model.h"

namespace weir::model {
namespace {

double number(const Expr& expression) {
  const PreparedModel model(expression);
  auto table = std::make_shared<ResidentTable>("one", 1);
  std::vector<double> at;
  for (const auto& parameter : model.parameters()) {
    at.push_back(start_of(*parameter));
  }
  return model.evaluate(at, model.prepare(table))[0][0];
}

Expr p(const std::string& name, double value) {
  return parameter({.name = name, .initial = value});
}

TEST(GaussLegendre, IntegratesPolynomialsExactly) {
  for (const int points : {1, 2, 3, 7, 16, 64, 255}) {
    const QuadratureRule rule = gauss_legendre(points);
    for (int degree = 0; degree < std::min(2 * points, 60); ++degree) {
      double sum = 0;
      for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
        sum += rule.weights[i] * std::pow(rule.nodes[i], degree);
      }
      EXPECT_NEAR(sum, degree % 2 == 0 ? 2.0 / (degree + 1) : 0.0, 1e-14)
          << points << " points, degree " << degree;
    }
  }
}

// exp(-x/s) / s from 0 on, with its integral: what a folder of functions/ gives.
Expr falling(std::span<const Expr> a) {
  return exp(-a[0] / a[1]) / a[1];
}
Expr falling_integral(std::span<const Expr> a, const Expr& lower, const Expr& upper) {
  return exp(-lower / a[1]) - exp(-upper / a[1]);
}
const ModelFunction kFalling{.name = "falling",
                             .arguments = {"x", "s"},
                             .value = falling,
                             .log_value = nullptr,
                             .integral = falling_integral,
                             .formula = {},
                             .source = {}};

TEST(Integral, FollowsSumsProductsPowersAndFunctions) {
  const Expr x = column("x");
  const Expr f =
      p("a", 3) * call(kFalling, {x, p("s", 2)}) - (x + 1) / p("b", 4) + power(x, 3) * 2 - 5;
  const auto found = integral(f, "x", 1, p("end", 2.5));
  ASSERT_TRUE(found.has_value());
  const double expected = 3 * (std::exp(-0.5) - std::exp(-1.25)) - ((2.5 * 2.5 - 1) / 2 + 1.5) / 4 +
                          (std::pow(2.5, 4) - 1) / 2 - 7.5;
  EXPECT_NEAR(number(*found), expected, 1e-14);
  EXPECT_NEAR(number(gauss_integral(f, "x", 1, p("end", 2.5), 12)), expected, 1e-13);
}

TEST(Integral, SaysWhereThereIsNoClosedForm) {
  const Expr x = column("x");
  EXPECT_FALSE(integral(x * exp(x), "x", 0, 1).has_value());
  EXPECT_FALSE(integral(power(x, -1), "x", 1, 2).has_value());
  EXPECT_FALSE(integral(call(kFalling, {x + 1, 2}), "x", 0, 1).has_value());
  EXPECT_FALSE(integral(call(kFalling, {x, x}), "x", 0, 1).has_value());
  EXPECT_TRUE(integral(exp(column("y")), "x", 0, 1).has_value());
}

// cases/models.md 34: where an efficiency couples two variables the integral does not factorise.
TEST(Integral, IsJointWhereVariablesAreCoupled) {
  const Expr f = exp(-column("t")) * (1 + column("m") * column("t"));
  const Expr over_m = integral(f, "m", 0, 1).value_or(gauss_integral(f, "m", 0, 1, 4));
  EXPECT_NEAR(number(gauss_integral(over_m, "t", 0, 2, 20)), 1.161661792, 1e-9);
}

TEST(Integral, PutsAnExpressionInThePlaceOfAColumn) {
  const Expr f = exp(column("x")) + column("x") * column("y");
  const Expr g = substitute(f, "x", p("a", 2));
  EXPECT_TRUE(depends_on(f, "x"));
  EXPECT_FALSE(depends_on(g, "x"));
  EXPECT_TRUE(depends_on(g, "y"));
}

}  // namespace
}  // namespace weir::model
