// MINOS, contours, profiles: errors by how far the function rises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "weir/core/error.h"
#include "weir/fit/contour.h"
#include "weir/fit/given_objective.h"
#include "weir/fit/minos.h"
#include "weir/fit/profile.h"
#include "weir/testing/conformance.h"

namespace weir::fit {
namespace {
using testing::expect_error;
const FitOptions kOptions{.minimiser = is_available(Minimiser::nlopt) ? Minimiser::nlopt
                                                                      : Minimiser::minuit2};

/// n ln τ + S/τ.
GivenObjective lifetime(double n, double sum, std::optional<double> upper = {}) {
  return {{{.name = "tau", .value = 1, .lower = 1e-3, .upper = upper}},
          [n, sum](std::span<const double> p, std::span<double> g) {
            g[0] = n / p[0] - sum / (p[0] * p[0]);
            return Evaluation{.value = n * std::log(p[0]) + sum / p[0]};
          }};
}

struct Expected {
  double n, sum, sigmas, lower, upper;
};

TEST(Minos, AgreesWithTheClosedFormOfALifetime) {
  // reference/statistics.json, minos_exponential: roots by the two branches of Lambert's W.
  for (const Expected& expected :
       {Expected{1, 2, 1, -1.1517072624497223847, 4.6288916473373513073},
        Expected{1, 2, 3, -1.7339432335585743461, 485.37975533329169295},
        Expected{2, 5, 2, -1.7053889177515682904, 13.263488198179227946},
        Expected{3, 4.5, 1, -0.61421450063194433528, 1.3409552640083030751},
        Expected{4, 12, 1, -1.1091428529737806369, 2.1757732866701652532},
        Expected{4, 12, 2, -1.7275608936745835770, 6.9433374710060269609}}) {
    GivenObjective objective = lifetime(expected.n, expected.sum);
    FitResult result = minimise(objective, kOptions);
    ASSERT_TRUE(result.valid) << result.reason;
    minos(objective, result, {"tau"}, expected.sigmas, kOptions);
    const MinosError& error = *result.at("tau").merror;
    EXPECT_TRUE(error.is_valid);
    EXPECT_NEAR(error.lower, expected.lower, 2e-6 * -expected.lower) << expected.n;
    EXPECT_NEAR(error.upper, expected.upper, 2e-6 * expected.upper) << expected.n;
  }
}

TEST(Minos, AgreesWithTheClosedFormOfACount) {
  // reference/statistics.json, minos_poisson: μ − n ln μ.
  for (const Expected& expected :
       {Expected{1, 0, 1, -0.69829043731566398847, 1.3576766739458990584},
        Expected{9, 0, 1, -2.6763451842711644267, 3.3421902706328287562},
        Expected{100, 0, 1, -9.6694817068237822729, 10.336074311183958848}}) {
    GivenObjective objective({{.name = "mu", .value = expected.n + 0.5, .lower = 0}},
                             [n = expected.n](std::span<const double> p, std::span<double> g) {
                               g[0] = 1 - n / p[0];
                               return Evaluation{.value = p[0] - n * std::log(p[0])};
                             });
    FitResult result = minimise(objective, kOptions);
    minos(objective, result, {}, 1, kOptions);
    EXPECT_NEAR(result.at("mu").merror->lower, expected.lower, 2e-6 * expected.n);
    EXPECT_NEAR(result.at("mu").merror->upper, expected.upper, 2e-6 * expected.n);
  }
}

TEST(Minos, ACountOfNothingEndsAtZeroAndHalf) {
  GivenObjective objective({{.name = "mu", .value = 0.5, .lower = 0}},
                           [](std::span<const double> p, std::span<double> g) {
                             g[0] = 1;
                             return Evaluation{.value = p[0]};
                           });
  FitResult result = minimise(objective, kOptions);
  ASSERT_TRUE(result.valid) << result.reason;
  EXPECT_EQ(result.value("mu"), 0);
  minos(objective, result, {}, 1, kOptions);
  EXPECT_NEAR(result.at("mu").merror->upper, 0.5, 1e-6);
  EXPECT_EQ(result.at("mu").merror->lower, 0);
  EXPECT_TRUE(result.at("mu").merror->at_lower_limit);
}

TEST(Minos, ABoundThatComesFirstIsSaid) {
  GivenObjective objective = lifetime(4, 12, 4.5);
  FitResult result = minimise(objective, kOptions);
  minos(objective, result, {}, 1, kOptions);
  const MinosError& error = *result.at("tau").merror;
  EXPECT_TRUE(error.at_upper_limit);
  EXPECT_FALSE(error.at_lower_limit);
  EXPECT_NEAR(error.upper, 4.5 - result.value("tau"), 1e-9);
  EXPECT_NEAR(error.lower, -1.1091428529737806369, 2e-6);
}

/// −ln L of `count` draws of a normal distribution, given their mean and mean square about it.
GivenObjective normal(double count, double mean, double variance) {
  return {{{.name = "mu", .value = mean + 0.4}, {.name = "sigma", .value = 2, .lower = 1e-3}},
          [=](std::span<const double> p, std::span<double> g) {
            const double d = mean - p[0];
            const double square = variance + d * d;
            const double s = p[1];
            g[0] = -count * d / (s * s);
            g[1] = count / s - count * square / (s * s * s);
            return Evaluation{.value = count * std::log(s) + count * square / (2 * s * s)};
          }};
}

TEST(Minos, ProfilesTheOtherParameter) {
  // Minimised over σ the function is n/2 · ln(1 + d²/v): d² = v (e^{1/n} − 1).
  GivenObjective objective = normal(10, 3, 1.44);
  FitResult result = minimise(objective, kOptions);
  minos(objective, result, {"mu"}, 1, kOptions);
  const double expected = 1.2 * std::sqrt(std::expm1(0.1));
  EXPECT_NEAR(result.at("mu").merror->upper, expected, 1e-6);
  EXPECT_NEAR(result.at("mu").merror->lower, -expected, 1e-6);
  EXPECT_FALSE(result.at("sigma").merror);
}

TEST(Contour, LiesWhereTheFunctionHasRisen) {
  GivenObjective objective = normal(10, 3, 1.44);
  FitResult result = minimise(objective, kOptions);
  const Contour curve = contour(objective, result, "mu", "sigma", 16, 1.5, kOptions);
  ASSERT_TRUE(curve.is_valid);
  ASSERT_EQ(curve.first_values.size(), 16);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::vector<double> point{curve.first_values[i], curve.second_values[i]};
    EXPECT_NEAR(objective.value(point).value - result.fval, 0.5 * 1.5 * 1.5, 1e-6);
  }
}

TEST(Profile, IsNotAboveTheScan) {
  GivenObjective objective = normal(10, 3, 1.44);
  const FitResult result = minimise(objective, kOptions);
  const std::vector<double> values{2.5, 3, 3.7};
  const Profile scanned = scan(objective, result, "mu", values);
  const Profile profiled = profile(objective, result, "mu", values, kOptions);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double d = values[i] - 3;
    EXPECT_NEAR(scanned.fvals[i] - result.fval, 5 * d * d / 1.44, 1e-6);
    EXPECT_NEAR(profiled.fvals[i] - result.fval, 5 * std::log1p(d * d / 1.44), 1e-6);
    EXPECT_TRUE(profiled.valid[i]);
  }
  expect_error(ErrorCode::invalid_spec, "sigma: -1",
               [&] { scan(objective, result, "sigma", {-1}); });
}

class Weighted final : public GivenObjective {
 public:
  using GivenObjective::GivenObjective;
  bool is_weighted() const noexcept override { return true; }
};

TEST(Minos, IsRefusedWhereItWouldMeanNothing) {
  GivenObjective objective = normal(10, 3, 1.44);
  FitResult result = minimise(objective, kOptions);
  expect_error(ErrorCode::invalid_spec, "did you mean \"sigma\"",
               [&] { minos(objective, result, {"sigmo"}, 1, kOptions); });
  expect_error(ErrorCode::invalid_spec, "sigmas: 0",
               [&] { minos(objective, result, {}, 0, kOptions); });
  expect_error(ErrorCode::invalid_spec, "points: 3",
               [&] { contour(objective, result, "mu", "sigma", 3); });
  expect_error(ErrorCode::invalid_spec, "mu twice",
               [&] { contour(objective, result, "mu", "mu"); });
  Weighted weighted(objective.parameters(), [&](std::span<const double> p, std::span<double> g) {
    return objective.value_and_gradient(p, g);
  });
  FitResult of_weights = minimise(weighted, kOptions);
  EXPECT_TRUE(of_weights.valid) << of_weights.reason;
  EXPECT_THAT(of_weights.warnings, ::testing::Contains(::testing::HasSubstr("weighted")));
  expect_error(ErrorCode::invalid_spec, "weighted", [&] { minos(weighted, of_weights); });
  expect_error(ErrorCode::invalid_spec, "weighted",
               [&] { contour(weighted, of_weights, "mu", "sigma"); });
  result.valid = false;
  expect_error(ErrorCode::invalid_spec, "not valid", [&] { minos(objective, result); });
}

}  // namespace
}  // namespace weir::fit
