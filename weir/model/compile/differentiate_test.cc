#include "weir/model/compile/differentiate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include "weir/core/error.h"
#include "weir/model/compile/instruction_list.h"
#include "weir/model/compile/lower.h"
#include "weir/model/expr/operations.h"
#include "weir/model/run/interpreter.h"

namespace weir::model {
namespace {

Expr p(const std::string& name) {
  return parameter({.name = name, .initial = 1.0});
}

/// A function of parameters alone, and its derivatives, at a point.
struct Point {
  double value;
  std::vector<double> slopes;
};

Point at(const Expr& f, const std::vector<double>& parameters) {
  ScalarGraph graph;
  Lowering lowering(graph);
  std::vector<Value> outputs = {lowering.lower(f).front()};
  std::vector<Value> leaves;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    leaves.push_back(graph.parameter(static_cast<std::int32_t>(i)));
  }
  for (const Value slope : differentiate(graph, outputs[0], leaves)) {
    outputs.push_back(slope == kNoValue ? graph.constant(0) : slope);
  }
  const CompiledModel model = compile(graph, outputs, lowering.symbols());
  const ScalarFile scalars = scalars_of(model, parameters);
  Point point{scalars.get(model.outputs[0].index), {}};
  for (std::size_t i = 1; i < outputs.size(); ++i) {
    point.slopes.push_back(scalars.get(model.outputs[i].index));
  }
  return point;
}

TEST(Differentiate, FollowsEveryRealFunction) {
  // f(x), its derivative and where, by the textbook.
  struct Case {
    Expr f;
    double x;
    double slope;
  };
  const Expr x = p("x");
  const std::vector<Case> cases = {
      {exp(x), 0.7, std::exp(0.7)},
      {expm1(x), 0.7, std::exp(0.7)},
      {log(x), 0.7, 1 / 0.7},
      {log1p(x), 0.7, 1 / 1.7},
      {sqrt(x), 0.49, 0.5 / 0.7},
      {cbrt(x), 0.343, 1 / (3 * 0.49)},
      {sin(x), 0.7, std::cos(0.7)},
      {cos(x), 0.7, -std::sin(0.7)},
      {tan(x), 0.7, 1 / (std::cos(0.7) * std::cos(0.7))},
      {asin(x), 0.6, 1 / 0.8},
      {acos(x), 0.6, -1 / 0.8},
      {asin(x), 1.0, 0.0},
      {atan(x), 0.7, 1 / 1.49},
      {sinh(x), 0.7, std::cosh(0.7)},
      {cosh(x), 0.7, std::sinh(0.7)},
      {tanh(x), 0.7, 1 / (std::cosh(0.7) * std::cosh(0.7))},
      {erf(x), 0.7, 2 / std::sqrt(M_PI) * std::exp(-0.49)},
      {erfc(x), 0.7, -2 / std::sqrt(M_PI) * std::exp(-0.49)},
      {lgamma(x), 1.0, -0.57721566490153286},
      {digamma(x), 1.0, 1.6449340668482264},
      {erfcx(x), 0.0, -2 / std::sqrt(M_PI)},
      {dawson(x), 0.0, 1.0},
      {bessel_i0e(x), 0.7, -0.37463554374432106},
      {abs(x), -0.7, -1.0},
      {power(x, 5), 0.7, 5 * std::pow(0.7, 4)},
      {power(x, -2), 0.7, -2 * std::pow(0.7, -3)},
      {power(x, 1.5), 0.7, 1.5 * std::sqrt(0.7)},
      {power(1.5, x), 0.7, std::pow(1.5, 0.7) * std::log(1.5)},
      {atan2(x, 2), 0.7, 2 / (4 + 0.49)},
      {atan2(2, x), 0.7, -2 / (4 + 0.49)},
      {min(x, 2 * x), 0.7, 1.0},
      {max(x, 2 * x), 0.7, 2.0},
      {x / (1 + x), 0.7, 1 / (1.7 * 1.7)},
      {3 - x * x, 0.7, -1.4},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_NEAR(at(cases[i].f, {cases[i].x}).slopes[0], cases[i].slope,
                4e-15 * (1 + std::fabs(cases[i].slope)))
        << "case " << i;
  }
}

TEST(Differentiate, LeavesOutWhatASelectLeavesOut) {
  const Expr x = p("x");
  const Expr f = select(less(x, 0), 3 * x, sqrt(x));
  const Point below = at(f, {-4.0});
  EXPECT_EQ(below.value, -12.0);
  EXPECT_EQ(below.slopes[0], 3.0);
  const Point edge = at(select(less_equal(x, 0), 2 * x, sqrt(x) * log(x)), {0.0});
  EXPECT_EQ(edge.slopes[0], 2.0);
}

// cases/models.md 10 and 11: derivatives of real functions of complex values, by real and by
// imaginary part.
TEST(Differentiate, GivesDerivativesByRealAndImaginaryPart) {
  const Expr c = complex(p("re"), p("im"));
  EXPECT_EQ(at(norm_sqr(c + 1), {1.0, 3.5}).slopes, (std::vector<double>{4.0, 7.0}));
  EXPECT_EQ(at(norm_sqr(c), {3.0, 4.0}).slopes, (std::vector<double>{6.0, 8.0}));
  EXPECT_EQ(at(imaginary_part(c) * imaginary_part(c), {0.0, 2.0}).slopes,
            (std::vector<double>{0.0, 4.0}));
}

TEST(Differentiate, ComplexFunctionsAgreeWithStd) {
  const Expr z = complex(p("x"), p("y"));
  const std::vector<std::pair<Expr, std::function<std::complex<double>(std::complex<double>)>>>
      cases = {
          {exp(z), [](auto v) { return std::exp(v); }},
          {sin(z), [](auto v) { return std::sin(v); }},
          {cos(z), [](auto v) { return std::cos(v); }},
          {sinh(z), [](auto v) { return std::sinh(v); }},
          {cosh(z), [](auto v) { return std::cosh(v); }},
          {csqrt(z), [](auto v) { return std::sqrt(v); }},
          {clog(z), [](auto v) { return std::log(v); }},
          {power(z, 3), [](auto v) { return v * v * v; }},
          {power(z, -2), [](auto v) { return 1.0 / (v * v); }},
          {z / (2 - z), [](auto v) { return v / (2.0 - v); }},
          {conjugate(z) * constant(0, 2),
           [](auto v) { return std::conj(v) * std::complex(0.0, 2.0); }},
      };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const std::complex<double> at_z : {std::complex(0.3, 0.8), std::complex(-1.5, 0.2),
                                            std::complex(-0.4, -2.0), std::complex(3.0, -0.1)}) {
      const std::complex<double> expected = cases[i].second(at_z);
      EXPECT_NEAR(at(real_part(cases[i].first), {at_z.real(), at_z.imag()}).value, expected.real(),
                  4e-15 * (1 + std::abs(expected)))
          << i << at_z;
      EXPECT_NEAR(at(imaginary_part(cases[i].first), {at_z.real(), at_z.imag()}).value,
                  expected.imag(), 4e-15 * (1 + std::abs(expected)))
          << i << at_z;
      // Cauchy and Riemann: two derivatives of the real part give those of the imaginary part, for
      // what is analytic.
      if (i < 10) {
        const auto re = at(real_part(cases[i].first), {at_z.real(), at_z.imag()}).slopes;
        const auto im = at(imaginary_part(cases[i].first), {at_z.real(), at_z.imag()}).slopes;
        EXPECT_NEAR(re[0], im[1], 1e-13 * (1 + std::fabs(re[0]))) << i << at_z;
        EXPECT_NEAR(re[1], -im[0], 1e-13 * (1 + std::fabs(re[1]))) << i << at_z;
      }
    }
  }
}

// survey: below threshold the momentum of two kaons of a system of mass 0.9 is imaginary.
TEST(Differentiate, FollowsTheCutOfTheComplexRoot) {
  const double mass = 0.493677;
  const Expr m = p("m");
  const Expr momentum_squared = m * m / 4 - mass * mass;
  EXPECT_NEAR(at(momentum_squared, {0.9}).value, -0.041216980, 1e-9);
  EXPECT_NEAR(at(imaginary_part(csqrt(momentum_squared)), {0.9}).value, 0.203019655, 1e-9);
  EXPECT_EQ(at(real_part(csqrt(momentum_squared)), {0.9}).value, 0.0);
  EXPECT_TRUE(std::isnan(at(sqrt(momentum_squared), {0.9}).value));
  EXPECT_EQ(at(select(less(momentum_squared, 0), 0, sqrt(momentum_squared)), {0.9}).slopes[0], 0.0);
}

TEST(Differentiate, SolvesWithExchangesOfRows) {
  const Expr a = p("a");
  const Expr b = p("b");
  // [[0, 1], [a, b]] x = (3, 4): x1 = 3, x0 = (4 - 3 b) / a; the first pivot is 0.
  const Expr x = solve(matrix(2, 2, {0, 1, a, b}), vector({3, 4}));
  const Point first = at(element(x, 0), {2.0, 5.0});
  EXPECT_DOUBLE_EQ(first.value, -5.5);
  EXPECT_DOUBLE_EQ(first.slopes[0], 11.0 / 4.0);
  EXPECT_DOUBLE_EQ(first.slopes[1], -1.5);
  const Expr singular = element(solve(matrix(2, 2, {a, a, a, a}), vector({1, 2})), 0);
  EXPECT_FALSE(std::isfinite(at(singular, {2.0}).value));
  const Expr z =
      solve(matrix(2, 2, {constant(0, 1), 1, a, constant(1, 1)}), vector({1, constant(2, 0)}));
  // i x + y = 1, 2 x + (1+i) y = 2: y = 1 - i x; 2 x + (1+i) - i(1+i) x = 2, x (3 - i) = 1 - i, x =
  // (2 - i)/5... by Cramer.
  const std::complex<double> det = std::complex(0.0, 1.0) * std::complex(1.0, 1.0) - 2.0;
  const std::complex<double> expected = (std::complex(1.0, 1.0) - 2.0) / det;
  EXPECT_NEAR(at(real_part(element(z, 0)), {2.0}).value, expected.real(), 1e-15);
  EXPECT_NEAR(at(imaginary_part(element(z, 0)), {2.0}).value, expected.imag(), 1e-15);
}

TEST(Differentiate, MultipliesMatrices) {
  const Expr a = p("a");
  const Expr m = matrix(2, 3, {1, 2, 3, 4, 5, a});
  EXPECT_EQ(at(element(matmul(m, vector({1, 1, a})), 1), {2.0}).value, 13.0);
  EXPECT_EQ(at(element(matmul(m, vector({1, 1, a})), 1), {2.0}).slopes[0], 4.0);
  EXPECT_EQ(at(element(matmul(m, transpose(m)), 1, 0), {2.0}).value, 4.0 + 10.0 + 6.0);
  EXPECT_EQ(at(dot(vector({1, a}), vector({a, 3})), {2.0}).value, 8.0);
  EXPECT_EQ(at(element(2 * m - m, 1, 2), {2.0}).value, 2.0);
}

TEST(Differentiate, IsLinearInTheGraph) {
  Expr chain = p("x");
  for (int i = 0; i < 100'000; ++i) {
    chain = chain * 0.99999 + 1e-6;
  }
  EXPECT_NEAR(at(chain, {1.0}).slopes[0], std::pow(0.99999, 100'000), 1e-10);
}

}  // namespace
}  // namespace weir::model
