#include "weir/likelihood/likelihood.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <vector>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/likelihood/expression_term.h"
#include "weir/likelihood/unbinned_term.h"
#include "weir/model/expr/operations.h"

namespace weir::likelihood {
namespace {

using model::column;
using model::Expr;
using ::testing::DoubleNear;
using ::testing::HasSubstr;

const std::string kGolden = std::string(WEIR_SOURCE_DIR) + "/weir/likelihood/golden/";
const std::vector<std::pair<double, double>> kUnit = {{0.0, 1.0}};

Expr p(const std::string& name, double start = 1.0) {
  return model::parameter({.name = name, .initial = start});
}

std::shared_ptr<model::ResidentTable> table_of(std::vector<double> x,
                                               std::vector<double> weights = {}) {
  auto table =
      std::make_shared<model::ResidentTable>("events", static_cast<std::int64_t>(x.size()));
  table->add_column("x", x);
  if (!weights.empty()) {
    table->set_weights(weights);
  }
  return table;
}

Expr normal(const Expr& x, const Expr& mu, const Expr& sigma) {
  const Expr t = (x - mu) / sigma;
  return exp(-0.5 * t * t) / (sigma * std::sqrt(2 * std::numbers::pi));
}

Expr lifetime() {
  return exp(-column("x") / p("tau")) / p("tau");
}

template <class... T>
Likelihood likelihood_of(std::unique_ptr<T>... terms) {
  std::vector<std::unique_ptr<Term>> all;
  (all.push_back(std::move(terms)), ...);
  return Likelihood(std::move(all));
}

std::unique_ptr<UnbinnedTerm> unbinned(const Expr& density,
                                       std::shared_ptr<const model::ResidentTable> events,
                                       std::optional<Normalisation> normalisation = {},
                                       UnbinnedKind kind = UnbinnedKind::nll) {
  return std::make_unique<UnbinnedTerm>("data", density, std::move(events), kind,
                                        std::move(normalisation));
}

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.text();
  }
  return "nothing was refused";
}

std::vector<double> w1_events() {
  std::ifstream file(kGolden + "w1_1000.f64", std::ios::binary);
  std::vector<double> events(1000);
  file.read(reinterpret_cast<char*>(events.data()), 8000);
  EXPECT_TRUE(file.good());
  return events;
}

TEST(Likelihood, OfWorkload1IsExact) {
  const Expr x = column("x");
  const Expr slope = p("slope");
  const Expr fall = exp(-x / slope) / (slope * (1 - exp(-1 / slope)));
  const Expr density = p("z") * normal(x, p("mu"), p("sigma")) + (1 - p("z")) * fall;
  Likelihood likelihood = likelihood_of(unbinned(density, table_of(w1_events())));
  for (const auto& golden : nlohmann::json::parse(read_text_file(kGolden + "w1.json"))) {
    const auto at = golden.at("at").get<std::vector<double>>();
    std::vector<double> gradient(4);
    const double value = likelihood.value_and_gradient(at, gradient).value;
    const double expected = std::stod(golden.at("nll").get<std::string>());
    EXPECT_NEAR(value, expected, 1e-14 * std::fabs(expected));
    EXPECT_EQ(likelihood.value(at).value, value);
    for (std::size_t i = 0; i < 4; ++i) {
      const double slope_expected = std::stod(golden.at("gradient").at(i).get<std::string>());
      EXPECT_NEAR(gradient[i], slope_expected, 1e-11 * (100 + std::fabs(slope_expected))) << i;
    }
  }
}

// A normalisation by quadrature is the one in closed form, and so are its derivatives.
TEST(Likelihood, NormalisesByQuadratureOrInClosedForm) {
  const Expr x = column("x");
  const Expr density = (1 + p("a") * x) * exp(-x / p("s"));
  const auto events = table_of({0.1, 0.2, 0.7, 0.75, 0.9});
  const std::vector<double> at = {0.6, 0.8};
  Likelihood numeric =
      likelihood_of(unbinned(density, events, numeric_normalisation(density, "x", kUnit, 4)));
  // ∫ (1 + a x) e^{-x/s} on [0, 1], by parts.
  const Expr a = p("a");
  const Expr s = p("s");
  const Expr end = exp(-1 / s);
  const Expr integral = s * (1 - end) + a * (s * s * (1 - end) - s * end);
  Likelihood closed = likelihood_of(unbinned(
      density, events, Normalisation{integral, std::make_shared<model::ResidentTable>("one", 1)}));
  std::vector<double> of_numeric(2);
  std::vector<double> of_closed(2);
  EXPECT_NEAR(numeric.value_and_gradient(at, of_numeric).value,
              closed.value_and_gradient(at, of_closed).value, 1e-13);
  EXPECT_THAT(of_numeric, ::testing::Pointwise(DoubleNear(1e-12), of_closed));
  const auto h = *numeric.hessian(at);
  const auto k = *closed.hessian(at);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(h.values()[i], k.values()[i], 1e-11);
  }
}

// cases/models.md 12 and 14 (arXiv:1911.01303): three covariances of a lifetime from weighted
// events.
TEST(Likelihood, GivesWhatWeightedCovariancesAreMadeOf) {
  const auto sigmas = [](Likelihood& likelihood, double tau) {
    const double h = (*likelihood.hessian(std::vector{tau}))(0, 0);
    const double d = likelihood.squared_scores(std::vector{tau})(0, 0);
    return std::pair(1 / std::sqrt(h), std::sqrt(d) / h);
  };
  Likelihood plain = likelihood_of(unbinned(lifetime(), table_of({1, 2, 3, 6})));
  std::vector<double> gradient(1);
  plain.value_and_gradient(std::vector{3.0}, gradient);
  EXPECT_NEAR(gradient[0], 0.0, 1e-15);
  EXPECT_NEAR(sigmas(plain, 3.0).first, 1.5, 1e-14);
  EXPECT_NEAR(sigmas(plain, 3.0).second, 0.935414346693485, 1e-12);
  Likelihood weighted = likelihood_of(unbinned(lifetime(), table_of({1, 2, 3, 6}, {1, 2, 1, 0.5})));
  const double tau = 11.0 / 4.5;
  weighted.value_and_gradient(std::vector{tau}, gradient);
  EXPECT_NEAR(gradient[0], 0.0, 1e-15);
  EXPECT_NEAR(sigmas(weighted, tau).first, 1.152322162, 1e-9);
  EXPECT_NEAR(sigmas(weighted, tau).second, 0.559791805, 1e-9);
  EXPECT_TRUE(weighted.is_weighted());
  EXPECT_FALSE(plain.is_weighted());
}

// The same moments where the likelihood carries the normalisation: s is centred by ∂ ln A.
TEST(Likelihood, CentresScoresByTheNormalisation) {
  const Expr bare = exp(-column("x") / p("tau"));
  const auto events = table_of({1, 2, 3, 6}, {1, 2, 1, 0.5});
  const Normalisation whole{p("tau"), std::make_shared<model::ResidentTable>("one", 1)};
  Likelihood normalised = likelihood_of(unbinned(bare, events, whole));
  Likelihood direct = likelihood_of(unbinned(lifetime(), events));
  const std::vector<double> at = {2.2};
  EXPECT_NEAR(normalised.value(at).value, direct.value(at).value, 1e-14);
  EXPECT_NEAR(normalised.squared_scores(at)(0, 0), direct.squared_scores(at)(0, 0), 1e-14);
  EXPECT_NEAR((*normalised.hessian(at))(0, 0), (*direct.hessian(at))(0, 0), 1e-14);
}

// cases/models.md 17: no factor 2 anywhere.
TEST(Likelihood, AMeanOf400HasTheErrorOfAMean) {
  std::vector<double> x(400);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = i % 2 == 0 ? -1.0 : 1.0;
  }
  Likelihood likelihood = likelihood_of(unbinned(normal(column("x"), p("mu"), 1), table_of(x)));
  EXPECT_NEAR(1 / std::sqrt((*likelihood.hessian(std::vector{0.0}))(0, 0)), 0.05, 1e-15);
  EXPECT_EQ(likelihood.error_definition(), 0.5);
  EXPECT_EQ(likelihood.data_count(), 400);
}

// cases/models.md 31 and 32: a constraint is a term like any other.
TEST(Likelihood, AddsConstraints) {
  const auto events = table_of({1, 2, 3});
  const auto density = [] { return normal(column("x"), p("mu"), 1); };
  Likelihood bare = likelihood_of(unbinned(density(), events));
  Likelihood held =
      likelihood_of(unbinned(density(), events), gaussian_constraint("outside", p("mu"), 1.0, 0.5));
  std::vector<double> gradient(1);
  std::vector<double> bare_gradient(1);
  EXPECT_NEAR(held.value_and_gradient(std::vector{2.0}, gradient).value -
                  bare.value_and_gradient(std::vector{2.0}, bare_gradient).value,
              2.0, 1e-14);
  EXPECT_NEAR(gradient[0] - bare_gradient[0], 4.0, 1e-14);
  EXPECT_TRUE(held.errors_are_statistical());
  const std::vector<Expr> shrunk = {p("mu")};
  Likelihood pulled = likelihood_of(unbinned(density(), events), ridge("pull", shrunk, 3.0),
                                    lasso("pull1", shrunk, 2.0));
  EXPECT_NEAR(pulled.value(std::vector{-2.0}).value - bare.value(std::vector{-2.0}).value, 16.0,
              1e-13);
  EXPECT_FALSE(pulled.errors_are_statistical());
}

// cases/models.md 4 and 52: constants of binned likelihoods.
TEST(Likelihood, BinnedConstantsAreStated) {
  const auto one_bin = [](double n, Constants constants) {
    return likelihood_of(
        binned_nll("bins", p("rate"), {.column = "x", .edges = {0, 2}, .counts = {n}}, constants));
  };
  EXPECT_EQ(one_bin(0, Constants::full).value(std::vector{5.0}).value, 10.0);
  EXPECT_NEAR(one_bin(3, Constants::full).value(std::vector{5.0}).value,
              10 - 3 * std::log(10.0) + std::log(6.0), 1e-14);
  EXPECT_NEAR(one_bin(5, Constants::reduced).value(std::vector{2.0}).value, 4 - 5 * std::log(4.0),
              1e-14);
  EXPECT_NEAR(one_bin(5, Constants::full).value(std::vector{2.0}).value -
                  one_bin(5, Constants::reduced).value(std::vector{2.0}).value,
              std::log(120.0), 1e-14);
  EXPECT_FALSE(one_bin(5, Constants::reduced).value(std::vector{-2.0}).feasible);
}

TEST(Likelihood, BinsWithoutAClosedFormAreIntegrated) {
  const Histogram data{.column = "x", .edges = {0, 0.5, 1, 3}, .counts = {3, 4, 5}};
  const Expr rate = p("n") * exp(-column("x") / p("tau")) / p("tau");
  Likelihood likelihood = likelihood_of(binned_nll("bins", rate, data, Constants::reduced));
  double expected = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double mu = 10 * (std::exp(-data.edges[i] / 2) - std::exp(-data.edges[i + 1] / 2));
    expected += mu - data.counts[i] * std::log(mu);
  }
  EXPECT_NEAR(likelihood.value(std::vector{10.0, 2.0}).value, expected, 1e-12);
  const std::vector<double> errors = {1, 2, 2};
  Likelihood squares = likelihood_of(chi2("bins", rate, data, errors));
  EXPECT_GT(squares.value(std::vector{10.0, 2.0}).value, 0);
  EXPECT_EQ(squares.data_count(), 3);
}

// cases/models.md 36 and 37: two ranges are one normalisation, and where a range is cut changes
// nothing.
TEST(Likelihood, NormalisesOnTheUnionOfRanges) {
  const Expr density = exp(-column("x") / p("tau")) / p("tau");
  const auto integral = [&](std::vector<std::pair<double, double>> ranges) {
    const auto term =
        unbinned(density, table_of({0.5}), numeric_normalisation(density, "x", ranges, 8));
    return term->normalisation(std::vector{1.0});
  };
  const double whole = integral({{0, 5}});
  EXPECT_NEAR(integral({{0, 1}, {3, 5}}) / whole, 0.679749798, 1e-9);
  EXPECT_NEAR(integral({{0, 0.5}, {0.5, 1}, {3, 5}}), integral({{0, 1}, {3, 5}}), 1e-14);
  EXPECT_NEAR(1000 / (integral({{0, 1}, {3, 5}}) / whole), 1471.13, 0.005);
}

TEST(Likelihood, ExtendedCountsEvents) {
  const Expr rate = p("n") * lifetime();
  const Normalisation expected{p("n"), std::make_shared<model::ResidentTable>("one", 1)};
  Likelihood likelihood =
      likelihood_of(unbinned(rate, table_of({1, 2, 3, 6}), expected, UnbinnedKind::extended_nll));
  ASSERT_EQ(likelihood.parameters()[0].name, "n");
  std::vector<double> gradient(2);
  const double value = likelihood.value_and_gradient(std::vector{4.0, 3.0}, gradient).value;
  EXPECT_NEAR(value, 4 - 4 * std::log(4.0) + 4 * std::log(3.0) + 4, 1e-13);
  EXPECT_THAT(gradient, ::testing::Each(DoubleNear(0.0, 1e-14)));
  EXPECT_NEAR((*likelihood.hessian(std::vector{4.0, 3.0}))(0, 0), 0.25, 1e-14);
  EXPECT_THAT(refusal([&] { unbinned(rate, table_of({1}), {}, UnbinnedKind::extended_nll); }),
              HasSubstr("expected number of events"));
}

TEST(Likelihood, SharesParametersByNameAndRefusesTwoDefinitions) {
  Likelihood both = likelihood_of(unbinned(normal(column("x"), p("mu"), p("s1")), table_of({1, 2})),
                                  unbinned(normal(column("x"), p("mu"), p("s2")), table_of({3})));
  ASSERT_EQ(both.parameters().size(), 3U);
  EXPECT_NEAR(both.value(std::vector{2.0, 1.0, 1.0}).value,
              1.0 + 3 * 0.5 * std::log(2 * std::numbers::pi), 1e-14);
  EXPECT_THAT(
      refusal([] {
        likelihood_of(unbinned(normal(column("x"), p("mu", 1), 1), table_of({1})),
                      gaussian_constraint("c", p("mu", 2), 1, 1));
      }),
      HasSubstr(
          "terms data and c: parameter mu is defined twice and differs: initial value 1 and 2"));
}

// cases/models.md 6 and 7: outside the domain there is a way back, and the words say what is wrong.
TEST(Likelihood, OutsideTheDomainAPenaltyGrows) {
  Likelihood likelihood = likelihood_of(
      unbinned(p("f") * normal(column("x"), 0, 1) + (1 - p("f")) * 0.1, table_of({0, 5, 6})));
  std::vector<double> gradient(1);
  const auto at = [&](double f) { return likelihood.value_and_gradient(std::vector{f}, gradient); };
  EXPECT_TRUE(at(0.5).feasible);
  const auto near = at(1.2);
  EXPECT_FALSE(near.feasible);
  EXPECT_GT(gradient[0], 0);
  EXPECT_GT(near.value, 0);
  EXPECT_GT(at(1.5).value, near.value);
  EXPECT_THAT(near.reason,
              HasSubstr("data: events: row 1: the density is not positive (2 rows in all)"));
}

TEST(Likelihood, RefusesWeightsThatSumToNothing) {
  EXPECT_THAT(refusal([] { unbinned(lifetime(), table_of({1, 2}, {0, 0})); }),
              HasSubstr("events: the weights sum to 0"));
  EXPECT_THAT(refusal([] { table_of({1, 2}, {1, NAN}); }), HasSubstr("the weight of row 1 is nan"));
  // cases/models.md 26: signed weights count with their signs.
  EXPECT_EQ(table_of({1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, -0.5, 0.25})->sum_of_weights(), 3.75);
}

}  // namespace
}  // namespace weir::likelihood
