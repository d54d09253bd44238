#include "weir/fit/minimise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "weir/core/error.h"
#include "weir/fit/given_objective.h"
#include "weir/testing/conformance.h"
#include "weir/testing/required.h"

namespace weir::fit {
namespace {
using testing::expect_error;

/// What holds for both minimisers.
class Minimise : public ::testing::TestWithParam<Minimiser> {
 protected:
  void SetUp() override {
    if (!is_available(GetParam())) {
      ASSERT_FALSE(testing::is_required(name(GetParam())));
      GTEST_SKIP() << "this build has no " << name(GetParam());
    }
  }
  FitOptions options() const { return {.minimiser = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(Both, Minimise, ::testing::Values(Minimiser::minuit2, Minimiser::nlopt),
                         [](const auto& tested) { return std::string(name(tested.param)); });

/// 100·Σ(x₂ₖ − x₂ₖ₋₁²)² + Σ(1 − x₂ₖ₋₁)².
Evaluation rosenbrock(std::span<const double> x, std::span<double> g) {
  Evaluation e;
  for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
    const double bend = x[i + 1] - x[i] * x[i];
    e.value += 100 * bend * bend + (1 - x[i]) * (1 - x[i]);
    g[i] = -400 * bend * x[i] - 2 * (1 - x[i]);
    g[i + 1] = 200 * bend;
  }
  return e;
}

TEST_P(Minimise, FindsTheEndOfABentValley) {
  GivenObjective objective({{.name = "a", .value = -1.2},
                            {.name = "b", .value = 1},
                            {.name = "c", .value = -1.2},
                            {.name = "d", .value = 1}},
                           rosenbrock);
  const FitResult result = minimise(objective, options());
  EXPECT_TRUE(result.valid) << result.reason;
  for (const FittedParameter& fitted : result.parameters) {
    EXPECT_NEAR(fitted.value, 1, 1e-5);
  }
  // The inverse of [[802, -400], [-400, 200]], times 2·0.5.
  EXPECT_NEAR(result.covariance_of("a", "a"), 0.5, 1e-5);
  EXPECT_NEAR(result.covariance_of("a", "b"), 1, 1e-5);
  EXPECT_NEAR(result.covariance_of("b", "b"), 2.005, 1e-5);
  EXPECT_NEAR(result.covariance_of("a", "c"), 0, 1e-5);
}

TEST_P(Minimise, GivesTheInverseOfCorrelatedCurvature) {
  GivenObjective objective({{.name = "x", .value = 7}, {.name = "y", .value = -3}},
                           [](std::span<const double> p, std::span<double> g) {
                             const double x = p[0] - 1;
                             const double y = p[1] - 2;
                             g[0] = 4 * x + 1.5 * y;
                             g[1] = 1.5 * x + y;
                             return Evaluation{.value = 2 * x * x + 1.5 * x * y + y * y / 2};
                           });
  const FitResult result = minimise(objective, options());
  ASSERT_TRUE(result.valid) << result.reason;
  EXPECT_EQ(result.covariance_status, CovarianceStatus::accurate);
  const double determinant = 4 * 1 - 1.5 * 1.5;
  EXPECT_NEAR(result.value("x"), 1, 1e-7);
  EXPECT_NEAR(result.covariance_of("x", "x"), 1 / determinant, 1e-9);
  EXPECT_NEAR(result.covariance_of("x", "y"), -1.5 / determinant, 1e-9);
  EXPECT_NEAR(result.error("y"), std::sqrt(4 / determinant), 1e-9);
  EXPECT_NEAR(result.correlation_of("y", "x"), -0.75, 1e-9);
  expect_error(ErrorCode::invalid_spec, "\"z\"", [&] { result.error("z"); });
}

/// x² + 10y² + 100z² + 2xy + 4xz + 8yz, whose errors rise by 1.
class Quadratic final : public GivenObjective {
 public:
  explicit Quadratic(Parameter last)
      : GivenObjective({{.name = "x", .value = 3}, {.name = "y", .value = 1}, std::move(last)},
                       [](std::span<const double> p, std::span<double> g) {
                         const double x = p[0];
                         const double y = p[1];
                         const double z = p[2];
                         g[0] = 2 * x + 2 * y + 4 * z;
                         g[1] = 20 * y + 2 * x + 8 * z;
                         g[2] = 200 * z + 4 * x + 8 * y;
                         return Evaluation{.value = x * x + 10 * y * y + 100 * z * z + 2 * x * y +
                                                    4 * x * z + 8 * y * z};
                       }) {}
  double error_definition() const noexcept override { return 1; }
  std::optional<SquareMatrix> hessian(std::span<const double> /*point*/) override {
    ++hessians;
    return SquareMatrix(3, {2, 2, 4, 2, 20, 8, 4, 8, 200});
  }
  int hessians = 0;
};

TEST_P(Minimise, AFixedParameterLeavesItsRowOfTheExactHessianOut) {  // root#20954
  Quadratic objective({.name = "z", .value = 1, .fixed = true});
  const FitResult result = minimise(objective, options());
  ASSERT_TRUE(result.valid) << result.reason;
  EXPECT_NEAR(result.value("x"), -16.0 / 9, 1e-9);
  EXPECT_NEAR(result.value("y"), -2.0 / 9, 1e-9);
  EXPECT_NEAR(result.covariance_of("x", "x"), 10.0 / 9, 1e-12);
  EXPECT_NEAR(result.covariance_of("x", "y"), -1.0 / 9, 1e-12);
  EXPECT_NEAR(result.covariance_of("y", "y"), 1.0 / 9, 1e-12);
  EXPECT_EQ(result.value("z"), 1);
  EXPECT_EQ(result.error("z"), 0);
  EXPECT_EQ(result.covariance_of("x", "z"), 0);
  EXPECT_GT(objective.hessians, 0);
  EXPECT_EQ(result.nhessian, objective.hessians);
}

TEST_P(Minimise, AFixedParameterKeepsItsBits) {  // iminuit#762
  const double held = 0.1 + 0.2;
  Quadratic objective({.name = "z", .value = held, .fixed = true});
  const FitResult result = minimise(objective, options());
  EXPECT_EQ(result.value("z"), held);
  EXPECT_EQ(result.error("z"), 0);
  EXPECT_FALSE(result.at("z").at_limit);
}

TEST_P(Minimise, TheErrorOfAMeanHoldsOneFactorOnly) {  // GooFit#249
  GivenObjective objective({{.name = "mu", .value = 2}},
                           [](std::span<const double> p, std::span<double> g) {
                             g[0] = 400 * (p[0] - 0.3);  // 400 events of σ = 1, their mean 0.3
                             return Evaluation{.value = 200 * (p[0] - 0.3) * (p[0] - 0.3)};
                           });
  EXPECT_NEAR(minimise(objective, options()).error("mu"), 0.05, 1e-9);
}

/// Σ (xᵢ − centre)² between −1 and 1.
GivenObjective box(double centre, double start, std::size_t size = 2) {
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < size; ++i) {
    parameters.push_back({.name = std::string(1, static_cast<char>('a' + i)),
                          .value = start,
                          .lower = -1,
                          .upper = 1});
  }
  return {parameters, [centre](std::span<const double> p, std::span<double> g) {
            Evaluation e;
            for (std::size_t i = 0; i < p.size(); ++i) {
              e.value += (p[i] - centre) * (p[i] - centre);
              g[i] = 2 * (p[i] - centre);
            }
            return e;
          }};
}

TEST_P(Minimise, EndsInTheCornerWhereTheCentreLiesOutside) {  // basin#90
  for (const double centre : {5.0, 8.0, 50.0, -3.0}) {
    for (const double start : {0.2, 1.0, -1.0}) {
      GivenObjective objective = box(centre, start);
      const FitResult result = minimise(objective, options());
      EXPECT_TRUE(result.valid) << centre << " from " << start << ": " << result.reason;
      for (const FittedParameter& fitted : result.parameters) {
        EXPECT_EQ(fitted.value, centre > 0 ? 1 : -1) << centre << " from " << start;
        EXPECT_TRUE(fitted.at_limit);
        // Until the function has risen by 0.5 from there: 2·slope·d + d² = 0.5.
        const double slope = std::abs(centre) - 1;
        EXPECT_NEAR(fitted.error, std::sqrt(slope * slope + 0.5) - slope, 1e-6);
      }
      EXPECT_THAT(result.warnings, ::testing::Contains(::testing::HasSubstr("half its error")));
    }
  }
}

TEST_P(Minimise, LeavesABoundItStartsAtAndComesInFromOutside) {
  for (const double start : {1.0, -1.0, 4.0, -70.0}) {
    GivenObjective objective = box(0.25, start);
    const FitResult result = minimise(objective, options());
    EXPECT_TRUE(result.valid) << start << ": " << result.reason;
    EXPECT_NEAR(result.value("a"), 0.25, 1e-6);
    EXPECT_NEAR(result.error("b"), std::sqrt(0.5), 1e-6);
    EXPECT_EQ(result.warnings.empty(), std::abs(start) <= 1);
  }
}

TEST_P(Minimise, AMinimumNearABoundIsFoundAndFlagged) {
  GivenObjective objective = box(0.9, 0);
  const FitResult result = minimise(objective, options());
  EXPECT_TRUE(result.valid) << result.reason;
  EXPECT_NEAR(result.value("a"), 0.9, 1e-6);
  EXPECT_NEAR(result.error("a"), std::sqrt(0.5), 1e-6);
  EXPECT_TRUE(result.at("a").at_limit);
}

TEST_P(Minimise, WithNothingFreeTheFunctionIsEvaluated) {
  Quadratic quadratic({.name = "z", .value = 1, .fixed = true});
  std::vector<Parameter> parameters = quadratic.parameters();
  parameters[0].fixed = parameters[1].fixed = true;
  GivenObjective objective(parameters, [&](std::span<const double> p, std::span<double> g) {
    return quadratic.value_and_gradient(p, g);
  });
  const FitResult result = minimise(objective, options());
  EXPECT_TRUE(result.valid) << result.reason;
  EXPECT_DOUBLE_EQ(result.fval, 9 + 10 + 100 + 6 + 12 + 8);
  EXPECT_EQ(result.edm, 0);
  EXPECT_EQ(result.error("x"), 0);
}

TEST_P(Minimise, AnAngleGoesRoundAndComesBackIntoItsPeriod) {
  GivenObjective objective(
      {{.name = "phi", .value = 3, .lower = -M_PI, .upper = M_PI, .periodic = true}},
      [](std::span<const double> p, std::span<double> g) {
        EXPECT_GE(p[0], -M_PI);
        EXPECT_LT(p[0], M_PI);
        g[0] = 10 * std::sin(p[0] + 2.5);
        return Evaluation{.value = -10 * std::cos(p[0] + 2.5)};
      });
  const FitResult result = minimise(objective, options());
  EXPECT_TRUE(result.valid) << result.reason;
  EXPECT_NEAR(result.value("phi"), -2.5, 1e-6);
  EXPECT_NEAR(result.error("phi"), std::sqrt(0.1), 1e-6);
  EXPECT_FALSE(result.at("phi").at_limit);
}

TEST_P(Minimise, RestartsFindTheLowerOfTwoMinima) {
  const auto two_wells = [](std::span<const double> p, std::span<double> g) {
    const double x = p[0];
    g[0] = 4 * x * (x * x - 4) + 0.5;
    return Evaluation{.value = (x * x - 4) * (x * x - 4) + x / 2};
  };
  GivenObjective objective({{.name = "x", .value = 1.5, .lower = -5, .upper = 5}}, two_wells);
  FitOptions choice = options();
  EXPECT_GT(minimise(objective, choice).value("x"), 0);
  choice.restarts = 8;
  const FitResult first = minimise(objective, choice);
  EXPECT_LT(first.value("x"), 0);
  EXPECT_TRUE(first.valid) << first.reason;
  EXPECT_EQ(minimise(objective, choice).value("x"), first.value("x"));
}

TEST_P(Minimise, TheCallsForValuesDoNotGrowWithTheParameters) {  // iminuit#252, #644
  const auto calls = [&](std::size_t size) {
    GivenObjective objective = box(0, 0, 0);
    std::vector<Parameter> parameters;
    for (std::size_t i = 0; i < size; ++i) {
      parameters.push_back({.name = "p" + std::to_string(i), .value = 1});
    }
    objective = GivenObjective(parameters, [](std::span<const double> p, std::span<double> g) {
      Evaluation e;
      for (std::size_t i = 0; i < p.size(); ++i) {
        e.value += p[i] * p[i] + 0.1 * std::pow(p[i], 4);
        g[i] = 2 * p[i] + 0.4 * std::pow(p[i], 3);
      }
      return e;
    });
    const FitResult result = minimise(objective, options());
    EXPECT_TRUE(result.valid) << result.reason;
    return result.nfcn;
  };
  EXPECT_LE(calls(25), calls(5) + 3);
}

}  // namespace
}  // namespace weir::fit
