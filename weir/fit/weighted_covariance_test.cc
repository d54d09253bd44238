// Numbers of reference/statistics.json.
#include "weir/fit/weighted_covariance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "weir/core/error.h"
#include "weir/testing/conformance.h"

namespace weir::fit {
namespace {
using testing::expect_error;

void expect_matrix(const SquareMatrix& matrix, const std::vector<double>& expected,
                   double relative) {
  ASSERT_EQ(matrix.size() * matrix.size(), expected.size());
  const double scale = *std::max_element(expected.begin(), expected.end());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(matrix.values()[i], expected[i], relative * scale) << i;
  }
}

struct Lifetime {
  std::vector<double> times, weights;
  double tau, naive, sumw2, asymptotic;
};

TEST(WeightedCovariance, ThreeEstimatorsOfALifetime) {  // root#11112, root#4640
  for (const Lifetime& expected :
       {Lifetime{{1, 2, 3, 6}, {1, 1, 1, 1}, 3, 1.5, 1.5, 0.93541434669348534640},
        Lifetime{{1, 2, 3, 6},
                 {1, 2, 1, 0.5},
                 2.4444444444444444444,
                 1.1523221619336330027,
                 1.1895495773279905783,
                 0.55979180487677204410},
        Lifetime{{1, 2, 3, 6}, {2, 2, 2, 2}, 3, 1.0606601717798212866, 1.5, 0.93541434669348534640},
        Lifetime{{0.1, 0.4, 2.5, 7.0, 1.3},
                 {1.0, -0.3, 0.8, 1.2, 0.5},
                 3.4468749999999999336,
                 1.9268617024862,
                 2.0507282219706643843,
                 1.7661841177346253534}}) {
    SquareMatrix h(1);
    SquareMatrix c(1);
    ScoreMoments moments{.scores = {0}, .products = SquareMatrix(1)};
    const double tau = expected.tau;
    for (std::size_t i = 0; i < expected.times.size(); ++i) {
      const double t = expected.times[i];
      const double w = expected.weights[i];
      const double curvature = -1 / (tau * tau) + 2 * t / (tau * tau * tau);
      const double score = -1 / tau + t / (tau * tau);
      h(0, 0) += w * curvature;
      c(0, 0) += w * w * curvature;
      moments.squared_weights += w * w;
      moments.scores[0] += w * w * score;
      moments.products(0, 0) += w * w * score * score;
    }
    EXPECT_NEAR(1 / std::sqrt(h(0, 0)), expected.naive, 1e-11);
    EXPECT_NEAR(std::sqrt(sandwich(h, c)(0, 0)), expected.sumw2, 1e-12);
    EXPECT_NEAR(std::sqrt(sandwich(h, moments.products)(0, 0)), expected.asymptotic, 1e-12);
  }
  EXPECT_NEAR(effective_count(4.5, 6.25), 3.24, 1e-14);
}

TEST(WeightedCovariance, OfTwoParametersOfANormalDistribution) {
  const std::vector<double> x{-0.7, 0.2, 1.1, 0.4, 2.3, -1.6};
  const std::vector<double> w{1.0, 0.5, 2.0, 1.5, 0.7, 1.2};
  const double mu = 0.27391304347826087293;
  const double s = 1.1688780913502328586;
  SquareMatrix h(2);
  SquareMatrix c(2);
  ScoreMoments moments{.scores = {0, 0}, .products = SquareMatrix(2)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double z = (x[i] - mu) / s;
    const std::vector<double> second{1 / (s * s), 2 * z / (s * s), 2 * z / (s * s),
                                     (3 * z * z - 1) / (s * s)};
    const std::vector<double> score{z / s, (z * z - 1) / s};
    for (std::size_t k = 0; k < 4; ++k) {
      h(k / 2, k % 2) += w[i] * second[k];
      c(k / 2, k % 2) += w[i] * w[i] * second[k];
      moments.products(k / 2, k % 2) += w[i] * w[i] * score[k / 2] * score[k % 2];
    }
  }
  expect_matrix(sandwich(h, c),
                {0.27061505164242075466, 0.021850483119128493965, 0.021850483119128493965,
                 0.10221733651132846142},
                1e-13);
  expect_matrix(sandwich(h, moments.products),
                {0.22649479922924486678, -0.047445179536781102032, -0.047445179536781102032,
                 0.065003859471993378167},
                1e-13);
}

TEST(WeightedCovariance, CentresScoresWhereTheNormalisationMoves) {
  // amplitude_likelihood_small: I = 1 + θx + θ²x² at θ = 0.5.
  const double normalisation = 5.8933749999999998908;
  const double slope = 2.2534999999999998828;
  const std::vector<double> centre{slope / normalisation};
  const ScoreMoments data{.squared_weights = 6.25,
                          .scores = {4.3566475961680326872},
                          .products = SquareMatrix(1, {4.5337166411832187313})};
  EXPECT_NEAR(centred(data, centre)(0, 0), 2.1157730565764544468, 1e-14);
  const std::vector<double> x{-0.9, -0.5, -0.1, 0.3, 0.6, 0.95};
  const std::vector<double> w{1.0, 0.7, 1.2, 1.0, 0.4, 1.0};
  ScoreMoments simulated{.scores = {0}, .products = SquareMatrix(1)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double intensity = 1 + 0.5 * x[i] + 0.25 * x[i] * x[i];
    const double score = (x[i] + x[i] * x[i]) / intensity;
    const double square = w[i] * w[i] * intensity * intensity;
    simulated.squared_weights += square;
    simulated.scores[0] += square * score;
    simulated.products(0, 0) += square * score * score;
  }
  EXPECT_NEAR(simulation_term(simulated, centre, 4.5, normalisation)(0, 0), 1.2080096757932104602,
              1e-14);
  EXPECT_NEAR(extended_simulation_term(simulated, std::vector<double>{slope}, {})(0, 0),
              3.7817012499999995036, 1e-14);
}

TEST(WeightedCovariance, AddsTheFiniteSimulationOfAnExtendedFit) {
  // finite_mc_extended: I = c exp(−θx), 5000 simulated events of weight 0.2, A = 621.5.
  const SquareMatrix h(2, {431.59435547309455545, -196.52204427952241230, -196.52204427952241230,
                           135.93114272849199150});
  const std::vector<double> poisson{63.347528775475737135, -21.356046040761178625,
                                    -21.356046040761178625, 12.305278269294004096};
  const ScoreMoments simulated{.scores = {0, 0}, .products = SquareMatrix(2, poisson)};
  // ∂A = (A/c, −Σ w x I): the latter is what H's off-diagonal element is, times c.
  const std::vector<double> gradient{621.49587188125611385 / 1.2, -196.52204427952241230 * 1.2};
  expect_matrix(
      extended_simulation_term(simulated, gradient, 5000.0),
      {9.7007067247198006802, 3.0714818099165417993, 3.0714818099165417993, 1.1824550696068654228},
      1e-12);
  const auto with = [&](std::optional<double> generated) {
    SquareMatrix middle = extended_simulation_term(simulated, gradient, generated);
    for (std::size_t k = 0; k < 4; ++k) {
      middle(k / 2, k % 2) += h(k / 2, k % 2);
    }
    return sandwich(h, middle);
  };
  expect_matrix(with({}),
                {0.0080369406501267350608, 0.011441507539270546260, 0.011441507539270546260,
                 0.024306996619338337803},
                1e-12);
  expect_matrix(with(5000.0),
                {0.0077489406501267350821, 0.011441507539270546260, 0.011441507539270546260,
                 0.024306996619338337803},
                1e-12);
}

FitResult fitted() {
  FitResult result;
  result.parameters = {{.parameter = {.name = "a"}, .value = 1, .error = 2},
                       {.parameter = {.name = "b", .fixed = true}, .value = 1},
                       {.parameter = {.name = "c", .lower = 0}, .value = 1.4, .error = 1}};
  result.covariance = SquareMatrix(3, {4, 0, 1, 0, 0, 0, 1, 0, 1});
  result.warnings = {"these errors are those of the naive covariance"};
  return result;
}

TEST(WeightedCovariance, OfAFitLeavesFixedParametersAlone) {
  FitResult result = fitted();
  correct_for_weights(result, "asymptotic", SquareMatrix(3, {1, 7, 0, 7, 7, 7, 0, 7, 9}));
  // [[4, 1], [1, 1]] · diag(1, 9) · the same.
  EXPECT_NEAR(result.covariance_of("a", "a"), 25, 1e-14);
  EXPECT_NEAR(result.covariance_of("a", "c"), 13, 1e-14);
  EXPECT_NEAR(result.covariance_of("c", "c"), 10, 1e-14);
  EXPECT_NEAR(result.error("a"), 5, 1e-14);
  EXPECT_EQ(result.error("b"), 0);
  EXPECT_EQ(result.covariance_of("a", "b"), 0);
  EXPECT_TRUE(result.at("c").at_limit);
  EXPECT_EQ(result.covariance_kind, "asymptotic");
  EXPECT_TRUE(result.warnings.empty());
}

TEST(WeightedCovariance, RefusesWhatDoesNotFit) {
  FitResult result = fitted();
  const SquareMatrix middle(3);
  const auto refused = [&](const std::string& word, std::string_view kind,
                           const SquareMatrix& given) {
    expect_error(ErrorCode::invalid_spec, word, [&] { correct_for_weights(result, kind, given); });
  };
  refused("\"robust\"", "robust", middle);
  refused("3 parameters", "sumw2", SquareMatrix(2));
  result.errordef = 1;
  refused("error definition", "sumw2", middle);
  expect_error(ErrorCode::invalid_spec, "positive definite",
               [] { sandwich(SquareMatrix(1, {-1}), SquareMatrix(1)); });
}

}  // namespace
}  // namespace weir::fit
