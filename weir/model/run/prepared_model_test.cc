#include "weir/model/run/prepared_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "weir/core/error.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Expr p(const std::string& name) {
  return parameter({.name = name, .initial = 1.0});
}

Expr normal(const Expr& x, const Expr& mu, const Expr& sigma) {
  const Expr t = (x - mu) / sigma;
  return exp(-0.5 * t * t) / (sigma * std::sqrt(2 * M_PI));
}

/// The mixture of workload W1, written out.
Expr mixture() {
  const Expr x = column("x");
  const Expr slope = p("slope");
  const Expr z = p("z");
  return z * normal(x, p("mu"), p("sigma")) +
         (1 - z) * (exp(-x / slope) / (slope * (1 - exp(-1 / slope))));
}

const std::vector<double> kTruth = {0.5, 0.5, 0.1, 1.0};  // z, mu, sigma, slope

std::shared_ptr<ResidentTable> table_of(std::int64_t rows, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<double> x(static_cast<std::size_t>(rows));
  for (double& value : x) {
    value = std::uniform_real_distribution(0.0, 1.0)(random);
  }
  auto table = std::make_shared<ResidentTable>("events", rows);
  table->add_column("x", x);
  return table;
}

double density(double x) {
  const double t = (x - 0.5) / 0.1;
  return 0.5 * std::exp(-0.5 * t * t) / (0.1 * std::sqrt(2 * M_PI)) +
         0.5 * std::exp(-x) / (1 - std::exp(-1.0));
}

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.text();
  }
  return "nothing was refused";
}

TEST(PreparedModel, EvaluatesEveryRowAtAwkwardSizes) {
  const PreparedModel model(mixture());
  ASSERT_EQ(model.parameters().size(), 4U);
  EXPECT_EQ(model.parameters()[0]->name, "z");
  EXPECT_THAT(model.required_columns(), ElementsAre("x"));
  for (const std::int64_t rows : {0, 1, 7, 8, 9, 31, 32, 33, 1023, 1024, 1025, 100'001}) {
    const auto table = table_of(rows);
    const auto values = model.evaluate(kTruth, model.prepare(table));
    ASSERT_EQ(values.size(), 1U);
    ASSERT_EQ(static_cast<std::int64_t>(values[0].size()), rows);
    long double expected = 0;
    for (std::size_t row = 0; row < values[0].size(); ++row) {
      const double truth = density(table->column("x")[row]);
      ASSERT_NEAR(values[0][row], truth, 1e-14 * truth) << row;
      expected += std::log(static_cast<long double>(truth));
    }
    const Reduction sum =
        model.reduce(kTruth, model.prepare(table), Plan::weighted_log_positive_real);
    EXPECT_NEAR(sum.value, static_cast<double>(expected),
                1e-14 * (1 + std::fabs(static_cast<double>(expected)) + static_cast<double>(rows)))
        << rows;
  }
}

TEST(PreparedModel, DerivativesAgreeWithDifferences) {
  const PreparedModel model(mixture());
  const auto data = model.prepare(table_of(5000));
  const auto plan = Plan::weighted_log_positive_real;
  const Reduction with_gradient = model.reduce_with_gradient(kTruth, data, plan);
  const Reduction with_hessian = model.reduce_with_hessian(kTruth, data, plan);
  EXPECT_NEAR(with_gradient.value, model.reduce(kTruth, data, plan).value, 1e-9);
  for (std::size_t i = 0; i < 4; ++i) {
    const double h = 1e-5;
    std::vector<double> up = kTruth;
    std::vector<double> down = kTruth;
    up[i] += h;
    down[i] -= h;
    const double slope =
        (model.reduce(up, data, plan).value - model.reduce(down, data, plan).value) / (2 * h);
    EXPECT_NEAR(with_gradient.gradient[i], slope, 1e-6 * (1 + std::fabs(slope))) << i;
    EXPECT_NEAR(with_hessian.gradient[i], with_gradient.gradient[i], 1e-9 * (1 + std::fabs(slope)))
        << i;
    const auto gradient_up = model.reduce_with_gradient(up, data, plan).gradient;
    const auto gradient_down = model.reduce_with_gradient(down, data, plan).gradient;
    for (std::size_t j = 0; j < 4; ++j) {
      const double second = (gradient_up[j] - gradient_down[j]) / (2 * h);
      EXPECT_NEAR(with_hessian.hessian[i * 4 + j], second, 1e-5 * (10 + std::fabs(second)))
          << i << j;
    }
  }
}

TEST(PreparedModel, TheSameBitsForAnyNumberOfThreads) {
  const auto table = table_of(200'003);
  const PreparedModel one(mixture(), {.threads = 1});
  const Reduction expected =
      one.reduce_with_gradient(kTruth, one.prepare(table), Plan::weighted_log_positive_real);
  for (const int threads : {2, 3, 5, 16}) {
    const PreparedModel several(mixture(), {.threads = threads});
    const auto data = several.prepare(table);
    for (int round = 0; round < 3; ++round) {
      const Reduction sum =
          several.reduce_with_gradient(kTruth, data, Plan::weighted_log_positive_real);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(sum.value),
                std::bit_cast<std::uint64_t>(expected.value))
          << threads;
      EXPECT_EQ(sum.gradient, expected.gradient) << threads;
    }
  }
}

TEST(PreparedModel, KeepsWhatDependsOnEventsAlone) {
  const Expr x = column("x");
  const PreparedModel model(p("a") * exp(sin(x)) + p("b") * (x + 1));
  const auto table = table_of(3000);
  const auto data = model.prepare(table);
  EXPECT_EQ(data.cached_bytes(), 0U);
  const Reduction sum =
      model.reduce_with_gradient(std::vector{2.0, 3.0}, data, Plan::weighted_real);
  // exp(sin x) is kept; x + 1 costs less than reading it back.
  EXPECT_EQ(data.cached_bytes(), 3000 * sizeof(double));
  double a = 0;
  double b = 0;
  for (int row = 0; row < 3000; ++row) {
    a += std::exp(std::sin(table->column("x")[row]));
    b += table->column("x")[row] + 1;
  }
  EXPECT_NEAR(sum.gradient[0], a, 1e-11 * a);
  EXPECT_NEAR(sum.gradient[1], b, 1e-11 * b);
  EXPECT_NEAR(sum.value, 2 * a + 3 * b, 1e-11 * (a + b));
  EXPECT_THAT(model.listing(Plan::weighted_real), HasSubstr("once a dataset"));
}

TEST(PreparedModel, DoesOncePerCallWhatParametersAloneDecide) {
  // 2000 derived parameters behind one number that events meet.
  Expr derived = p("a");
  for (int i = 0; i < 2000; ++i) {
    derived = sin(derived) + p("b");
  }
  const PreparedModel model(column("x") * derived);
  const auto data = model.prepare(table_of(64));
  const auto listing = model.listing(Plan::weighted_real);
  const auto mixed = listing.substr(listing.find("for every event"));
  EXPECT_LT(std::count(mixed.begin(), mixed.end(), '\n'), 5) << mixed;
  const std::vector<double> at = {0.3, 0.2};
  const Reduction sum = model.reduce_with_gradient(at, data, Plan::weighted_real);
  const double h = 1e-6;
  const double slope = (model.reduce(std::vector{0.3, 0.2 + h}, data, Plan::weighted_real).value -
                        model.reduce(std::vector{0.3, 0.2 - h}, data, Plan::weighted_real).value) /
                       (2 * h);
  EXPECT_NEAR(sum.gradient[1], slope, 1e-6 * std::fabs(slope));
}

TEST(PreparedModel, WeightsCountAndRowsOfWeightZeroDoNot) {
  const Expr x = column("x");
  auto table = std::make_shared<ResidentTable>("w", 5);
  table->add_column("x", std::vector{1.0, 2.0, 3.0, -6.0, 0.0});
  table->set_weights(std::vector{1.0, 2.0, 1.0, 0.0, 0.0});
  const PreparedModel model(x * p("tau"));
  const auto data = model.prepare(table);
  const Reduction sum =
      model.reduce_with_gradient(std::vector{1.0}, data, Plan::weighted_log_positive_real);
  EXPECT_NEAR(sum.value, 2 * std::log(2.0) + std::log(3.0), 1e-15);
  EXPECT_NEAR(sum.gradient[0], 4.0, 1e-15);
  EXPECT_EQ(table->sum_of_weights(), 4.0);
  const ScoreMoments moments =
      model.score_moments(std::vector{2.0}, data, Plan::weighted_log_positive_real);
  EXPECT_EQ(moments.weights_squared, 6.0);
  EXPECT_NEAR(moments.scores[0], 3.0, 1e-15);
  EXPECT_NEAR(moments.products[0], 1.5, 1e-15);
}

TEST(PreparedModel, NamesTheRowTheValueAndTheParameters) {
  const PreparedModel model(column("x") - p("edge"));
  auto table = std::make_shared<ResidentTable>("events.csv", 3000);
  std::vector<double> x(3000, 2.0);
  x[1500] = 0.5;
  x[2500] = 0.25;
  table->add_column("x", x);
  const auto data = model.prepare(table);
  const std::string text =
      refusal([&] { model.reduce(std::vector{1.0}, data, Plan::weighted_log_positive_real); });
  EXPECT_THAT(text, HasSubstr("events.csv: row 1500"));
  EXPECT_THAT(text, HasSubstr("2 rows in all"));
  EXPECT_THAT(text, HasSubstr("edge = 1"));
  EXPECT_TRUE(std::isnan(
      model.reduce(std::vector{1.0}, data, Plan::weighted_log_positive_real, Domain::nan).value));
  EXPECT_THAT(refusal([&] { model.reduce(std::vector{1.0}, data, Plan::weighted_positive_real); }),
              HasSubstr("is -0.5"));
  EXPECT_NO_THROW(model.reduce(std::vector{1.0}, data, Plan::weighted_real));
  EXPECT_TRUE(std::isnan(model.reduce(std::vector{std::nan("")}, data, Plan::weighted_real).value));
}

TEST(PreparedModel, APenaltyLeadsBack) {
  const PreparedModel model(column("x") - p("edge"));
  const auto data = model.prepare(table_of(2000));
  const auto plan = Plan::weighted_log_positive_real;
  double last = INFINITY;
  for (const double edge : {3.0, 2.0, 1.5, 1.1}) {
    const Reduction outside =
        model.reduce_with_gradient(std::vector{edge}, data, plan, Domain::penalty);
    EXPECT_EQ(outside.bad_rows, 2000);
    EXPECT_LT(outside.value, last);
    EXPECT_NEAR(outside.gradient[0], 2000.0, 1e-9);
    last = outside.value;
  }
  EXPECT_EQ(model.reduce_with_gradient(std::vector{-1.0}, data, plan, Domain::penalty).bad_rows, 0);
  EXPECT_EQ(model.reduce_with_gradient(std::vector{-1.0}, data, plan, Domain::penalty).value, 0.0);
  const PreparedModel undefined(sqrt(column("x") - p("edge")));
  const Reduction nothing = undefined.reduce_with_gradient(
      std::vector{2.0}, undefined.prepare(table_of(10)), plan, Domain::penalty);
  EXPECT_EQ(nothing.value, 10.0);
  EXPECT_EQ(nothing.gradient[0], 0.0);
}

TEST(PreparedModel, RefusesWhatDoesNotFit) {
  const PreparedModel model(mixture());
  auto table = std::make_shared<ResidentTable>("t", 1);
  table->add_column("y", std::vector{1.0});
  EXPECT_THAT(refusal([&] { model.prepare(table); }),
              HasSubstr("t: there is no column x (there are: y)"));
  EXPECT_THAT(refusal([&] {
                model.reduce(std::vector{1.0}, model.prepare(table_of(1)), Plan::weighted_real);
              }),
              HasSubstr("1 parameter values for 4 free parameters"));
  const PreparedModel complex_model(csqrt(column("x")));
  EXPECT_THAT(refusal([&] {
                complex_model.reduce({}, complex_model.prepare(table_of(1)), Plan::weighted_real);
              }),
              HasSubstr("not a Complex"));
  const auto parts = complex_model.evaluate({}, complex_model.prepare(table_of(3)));
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[1], (std::vector{0.0, 0.0, 0.0}));
}

TEST(PreparedModel, RefusesTheDatasetOfAnotherModel) {
  const PreparedModel first(column("x") * p("a"));
  const PreparedModel second(column("x") + p("a"));
  const auto data = first.prepare(table_of(5));
  EXPECT_THAT(refusal([&] { second.reduce(std::vector{1.0}, data, Plan::weighted_real); }),
              HasSubstr("events: the dataset was prepared by another model"));
  EXPECT_THAT(refusal([&] { second.evaluate(std::vector{1.0}, data); }),
              HasSubstr("another model"));
}

TEST(PreparedModel, FixedParametersAreConstants) {
  const PreparedModel model(column("x") * p("a") +
                            parameter({.name = "b", .initial = 2.0, .fixed = true}));
  ASSERT_EQ(model.parameters().size(), 1U);
  EXPECT_EQ(model.parameters()[0]->name, "a");
  const auto table = table_of(10);
  const auto values = model.evaluate(std::vector{3.0}, model.prepare(table));
  EXPECT_EQ(values[0][4], std::fma(table->column("x")[4], 3.0, 2.0));
}

TEST(PreparedModel, CompilesEachFormOnce) {
  const PreparedModel model(mixture());
  const auto table = table_of(100);
  for (int round = 0; round < 5; ++round) {
    const auto data = model.prepare(table);
    model.reduce_with_gradient(kTruth, data, Plan::weighted_log_positive_real);
    model.evaluate(kTruth, data);
  }
  EXPECT_EQ(model.compilations(), 2);
}

}  // namespace
}  // namespace weir::model
