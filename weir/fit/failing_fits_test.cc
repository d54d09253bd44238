// A fit that fails is a value with a reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weir/core/error.h"
#include "weir/fit/given_objective.h"
#include "weir/fit/minimise.h"
#include "weir/testing/conformance.h"
#include "weir/testing/required.h"

namespace weir::fit {
namespace {
using testing::expect_error;
using ::testing::HasSubstr;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Function = GivenObjective::Function;

class FailingFit : public ::testing::TestWithParam<Minimiser> {
 protected:
  void SetUp() override {
    if (!is_available(GetParam())) {
      ASSERT_FALSE(testing::is_required(name(GetParam())));
      GTEST_SKIP() << "this build has no " << name(GetParam());
    }
  }
  FitResult fit(std::vector<Parameter> parameters, Function function, std::int64_t calls = 0) {
    GivenObjective objective(std::move(parameters), std::move(function));
    return minimise(objective, {.minimiser = GetParam(), .max_calls = calls});
  }
};
INSTANTIATE_TEST_SUITE_P(Both, FailingFit, ::testing::Values(Minimiser::minuit2, Minimiser::nlopt),
                         [](const auto& tested) { return std::string(name(tested.param)); });

TEST_P(FailingFit, FindsItsWayOutOfAnInfeasibleStart) {  // root#6401
  // A mixture with fractions f1, f2 and the rest: Σ over counts of −n ln f.
  const auto mixture = [](std::span<const double> f, std::span<double> g) {
    const double rest = 1 - f[0] - f[1];
    if (!(f[0] > 0 && f[1] > 0 && rest > 0)) {
      g[0] = f[0] <= 0 ? -1 : rest <= 0 ? 1 : 0;
      g[1] = f[1] <= 0 ? -1 : rest <= 0 ? 1 : 0;
      const double depth = std::max(0.0, -f[0]) + std::max(0.0, -f[1]) + std::max(0.0, -rest);
      return Evaluation{.value = depth, .feasible = false, .reason = "a fraction is negative"};
    }
    g[0] = -300 / f[0] + 300 / rest;
    g[1] = -400 / f[1] + 300 / rest;
    return Evaluation{.value = -300 * std::log(f[0]) - 400 * std::log(f[1]) - 300 * std::log(rest)};
  };
  const FitResult result = fit({{.name = "f1", .value = 0.7, .lower = 0, .upper = 1},
                                {.name = "f2", .value = 0.5, .lower = 0, .upper = 1}},
                               mixture);
  EXPECT_TRUE(result.valid) << result.reason;
  EXPECT_NEAR(result.value("f1"), 0.3, 1e-6);
  EXPECT_NEAR(result.value("f2"), 0.4, 1e-6);
  // The multinomial's: f(1 − f)/N and −f1 f2/N.
  EXPECT_NEAR(result.covariance_of("f1", "f1"), 0.3 * 0.7 / 1000, 1e-9);
  EXPECT_NEAR(result.covariance_of("f1", "f2"), -0.3 * 0.4 / 1000, 1e-9);
}

TEST_P(FailingFit, AnInfeasibleStartWithoutAWayOutIsSaid) {
  const auto nowhere = [](std::span<const double> /*p*/, std::span<double> g) {
    g[0] = 0;
    return Evaluation{.value = 1, .feasible = false, .reason = "term nll: density -0.1 at row 7"};
  };
  const FitResult result = fit({{.name = "sigma", .value = -1}}, nowhere);
  EXPECT_FALSE(result.valid);
  EXPECT_THAT(result.reason, HasSubstr("term nll: density -0.1 at row 7"));
  EXPECT_EQ(result.value("sigma"), -1);
  EXPECT_TRUE(std::isnan(result.fval));
}

TEST_P(FailingFit, AFunctionThatIsNoNumberIsSaid) {
  for (const double bad : {kNan, std::numeric_limits<double>::infinity()}) {
    const FitResult result =
        fit({{.name = "x", .value = 1}}, [bad](std::span<const double>, std::span<double> g) {
          g[0] = 1;
          return Evaluation{.value = bad};
        });
    EXPECT_FALSE(result.valid);
    EXPECT_THAT(result.reason, HasSubstr("its value is"));
  }
  const FitResult slope =
      fit({{.name = "x", .value = 1}}, [](std::span<const double>, std::span<double> g) {
        g[0] = kNan;
        return Evaluation{.value = 3};
      });
  EXPECT_FALSE(slope.valid);
  EXPECT_THAT(slope.reason, HasSubstr("its derivative by x is nan"));
}

TEST_P(FailingFit, AWallOfNaNBesideTheMinimumIsNoHindrance) {
  // n ln τ + S/τ exists only for τ > 0, and the first steps go far.
  const FitResult result =
      fit({{.name = "tau", .value = 40, .step = 60}},
          [](std::span<const double> p, std::span<double> g) {
            g[0] = 4 / p[0] - 12 / (p[0] * p[0]);
            return Evaluation{.value = p[0] > 0 ? 4 * std::log(p[0]) + 12 / p[0] : kNan};
          });
  EXPECT_TRUE(result.valid) << result.reason;
  EXPECT_NEAR(result.value("tau"), 3, 1e-4);
  EXPECT_NEAR(result.error("tau"), 1.5, 1e-4);
}

TEST_P(FailingFit, AFunctionOfNothingHasNoErrors) {
  const FitResult result = fit({{.name = "x", .value = 1}, {.name = "y", .value = 1}},
                               [](std::span<const double> p, std::span<double> g) {
                                 g[0] = 2 * p[0];
                                 g[1] = 0;
                                 return Evaluation{.value = p[0] * p[0]};
                               });
  EXPECT_FALSE(result.valid);
  EXPECT_EQ(result.covariance_status, CovarianceStatus::not_positive_definite);
  EXPECT_THAT(result.reason, HasSubstr("does not depend on y"));
  EXPECT_EQ(result.error("x"), 0);
  expect_error(ErrorCode::not_found, "no covariance", [&] { result.covariance_of("x", "y"); });
}

TEST_P(FailingFit, AFlatDirectionIsNamed) {
  const FitResult result =
      fit({{.name = "a", .value = 1}, {.name = "b", .value = 4}, {.name = "c", .value = 2}},
          [](std::span<const double> p, std::span<double> g) {
            const double sum = p[0] + p[1] - 3;
            g[0] = g[1] = 2 * sum;
            g[2] = 2 * p[2];
            return Evaluation{.value = sum * sum + p[2] * p[2]};
          });
  EXPECT_FALSE(result.valid);
  EXPECT_EQ(result.covariance_status, CovarianceStatus::forced);
  EXPECT_THAT(result.reason, HasSubstr("along a, b the function is flat"));
  EXPECT_NEAR(result.value("a") + result.value("b"), 3, 1e-3);
}

TEST_P(FailingFit, ASaddleIsNoMinimum) {
  const FitResult result = fit({{.name = "x", .value = 0}, {.name = "y", .value = 0}},
                               [](std::span<const double> p, std::span<double> g) {
                                 g[0] = 2 * p[0];
                                 g[1] = -2 * p[1];
                                 return Evaluation{.value = p[0] * p[0] - p[1] * p[1]};
                               });
  EXPECT_FALSE(result.valid);
  EXPECT_FALSE(result.reason.empty());
}

TEST_P(FailingFit, AFunctionWithoutAFloorEnds) {
  const FitResult result =
      fit({{.name = "x", .value = 1}}, [](std::span<const double> p, std::span<double> g) {
        g[0] = -1;
        return Evaluation{.value = -p[0]};
      });
  EXPECT_FALSE(result.valid);
  EXPECT_FALSE(result.reason.empty());
}

TEST_P(FailingFit, TheLimitOfCallsIsKept) {
  int calls = 0;
  const FitResult result = fit(
      {{.name = "a", .value = -1.2}, {.name = "b", .value = 1}},
      [&](std::span<const double> x, std::span<double> g) {
        ++calls;
        const double bend = x[1] - x[0] * x[0];
        g[0] = -400 * bend * x[0] - 2 * (1 - x[0]);
        g[1] = 200 * bend;
        return Evaluation{.value = 100 * bend * bend + (1 - x[0]) * (1 - x[0])};
      },
      12);
  EXPECT_FALSE(result.valid);
  EXPECT_TRUE(result.has_reached_call_limit);
  EXPECT_THAT(result.reason, HasSubstr("limit of 12 calls"));
  EXPECT_LT(calls, 60);
}

TEST_P(FailingFit, WhatTheObjectiveThrowsComesThrough) {
  int calls = 0;
  const Function broken = [&](std::span<const double> p, std::span<double> g) -> Evaluation {
    if (++calls > 4) {
      throw Error(ErrorCode::corrupt_data, "events.parquet: row group 3 is damaged");
    }
    g[0] = 4 * std::pow(p[0], 3);
    return {.value = std::pow(p[0], 4)};
  };
  expect_error(ErrorCode::corrupt_data, "row group 3",
               [&] { fit({{.name = "x", .value = 9}}, broken); });
}

TEST(FitOptions, AreRefusedByName) {
  GivenObjective objective({{.name = "x", .value = 1}},
                           [](std::span<const double> p, std::span<double> g) {
                             g[0] = 2 * p[0];
                             return Evaluation{.value = p[0] * p[0]};
                           });
  const auto refused = [&](const FitOptions& options, const std::string& word) {
    expect_error(ErrorCode::invalid_spec, word, [&] { minimise(objective, options); });
  };
  refused({.strategy = 3}, "strategy: 3");
  refused({.tolerance = 0}, "tolerance");
  refused({.max_calls = -1}, "max_calls");
  refused({.restarts = -2}, "restarts");
  expect_error(ErrorCode::invalid_spec, "simplex", [] { minimiser_called("simplex"); });
  EXPECT_EQ(minimiser_called("nlopt"), Minimiser::nlopt);
  GivenObjective nan({{.name = "x", .value = kNan}}, nullptr);
  expect_error(ErrorCode::invalid_spec, "x: value", [&] { minimise(nan); });
}

}  // namespace
}  // namespace weir::fit
