#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/fit/minimise.h"
#include "weir/likelihood/toy_experiment_internal.h"

namespace weir::likelihood {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<UnbinnedTerm> term_of(const model::Expr& density,
                                      std::shared_ptr<const model::ResidentTable> events) {
  return std::make_unique<UnbinnedTerm>("data", density, std::move(events), UnbinnedKind::nll,
                                        std::nullopt, model::Execution{.threads = 1});
}

Likelihood likelihood_of(std::unique_ptr<Term> term) {
  std::vector<std::unique_ptr<Term>> terms;
  terms.push_back(std::move(term));
  return Likelihood(std::move(terms));
}

TEST(ToyFits, PullsAreStandardNormal) {
  auto term = term_of(MassFit::density(), MassFit::events(2000, 0));
  UnbinnedTerm& data = *term;
  Likelihood likelihood = likelihood_of(std::move(term));
  constexpr int kToys = 60;
  double sum = 0;
  double squares = 0;
  for (int toy = 0; toy < kToys; ++toy) {
    data.use_events(MassFit::events(2000, 100 + static_cast<std::uint64_t>(toy)));
    const fit::FitResult result = fit::minimise(likelihood);
    ASSERT_TRUE(result.valid) << toy << ": " << result.reason;
    const double pull = (result.value("mb") - MassFit::kMass) / result.error("mb");
    sum += pull;
    squares += pull * pull;
  }
  // Of 60 normal numbers: four of their standard errors.
  EXPECT_NEAR(sum / kToys, 0.0, 4 / std::sqrt(60.0));
  EXPECT_NEAR(std::sqrt(squares / kToys), 1.0, 4 / std::sqrt(120.0));
}

TEST(ToyFits, AToyIsNotCompiledAgain) {
  auto term = term_of(MassFit::density(), MassFit::events(100, 0));
  const std::vector<double> at = {MassFit::kFraction, MassFit::kMass, MassFit::kWidth,
                                  MassFit::kSlope};
  const double before = term->evaluate(at, {}).value;
  term->use_events(MassFit::events(100, 1));
  EXPECT_NE(term->evaluate(at, {}).value, before);
  term->use_events(MassFit::events(100, 0));
  EXPECT_EQ(term->evaluate(at, {}).value, before);
  EXPECT_EQ(term->compilations(), 1);
}

// cases/models.md 6: fractions that sum to more than one make the third negative; the fit finds its
// way out.
TEST(ToyFits, FindTheWayBackIntoTheDomain) {
  const model::Expr x = model::column("x");
  const auto fraction = [](const char* name, double start) {
    return model::parameter({.name = name, .initial = start, .lower = 0, .upper = 1});
  };
  const auto peak = [&](double mean) {
    const model::Expr t = (x - mean) * 2;
    return exp(-0.5 * t * t) * (2 / std::sqrt(2 * std::numbers::pi));
  };
  const model::Expr density = fraction("f1", 0.7) * peak(0) + fraction("f2", 0.5) * peak(3) +
                              (1 - fraction("f1", 0.7) - fraction("f2", 0.5)) * peak(6);
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0, 0.5);
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) {
    values.push_back(normal(random) + (i < 900 ? 0.0 : i < 2100 ? 3.0 : 6.0));
  }
  auto table = std::make_shared<model::ResidentTable>("events", 3000);
  table->add_column("x", values);
  Likelihood likelihood = likelihood_of(term_of(density, table));
  EXPECT_FALSE(likelihood.value(std::vector{0.7, 0.5}).feasible);
  const fit::FitResult result = fit::minimise(likelihood);
  ASSERT_TRUE(result.valid) << result.reason;
  EXPECT_NEAR(result.value("f1"), 0.3, 3 * result.error("f1"));
  EXPECT_NEAR(result.value("f2"), 0.4, 3 * result.error("f2"));
}

// cases/models.md 7: the words name the parameter and the first bad row.
TEST(ToyFits, SayWhereADensityFails) {
  const model::Expr sigma = model::parameter({.name = "sigma", .initial = 1.0});
  const model::Expr t = model::column("m") / sigma;
  auto term = term_of(exp(-0.5 * t * t) / sigma, MassFit::events(50, 3));
  EXPECT_THAT(
      term->evaluate(std::vector{-2.0}, {}).reason,
      HasSubstr("data: toy: row 0: the density is not positive (50 rows in all) at sigma = -2"));
}

}  // namespace
}  // namespace weir::likelihood
