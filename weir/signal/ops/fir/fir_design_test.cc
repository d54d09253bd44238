#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/signal/ops/fir/fir.h"
#include "weir/signal/ops/fir/fir_optimal.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
const SampleRate kRate{Rational(2)};  // Nyquist is 1.

Value designs() {
  return formats::parse_json(
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/weir/signal/ops/fir/golden/designs.json"));
}

std::vector<double> numbers(const Value& list) {
  std::vector<double> values;
  for (const Value& value : list.as_array()) {
    values.push_back(value.as_number());
  }
  return values;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected,
                 double within) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[i], within) << i;
  }
}

/// Largest weighted error over the bands.
double error_of(const std::vector<double>& taps, const FirGoal& goal) {
  double worst = 0;
  const auto half = static_cast<double>(taps.size() / 2);
  for (std::size_t b = 0; b < goal.gains.size(); ++b) {
    for (int i = 0; i <= 4000; ++i) {
      const double f = goal.edges[2 * b] + (goal.edges[2 * b + 1] - goal.edges[2 * b]) * i / 4000;
      double gain = 0;
      for (std::size_t n = 0; n < taps.size(); ++n) {
        gain += taps[n] * std::cos(std::numbers::pi * f * (static_cast<double>(n) - half));
      }
      worst = std::max(worst, goal.weights[b] * std::fabs(gain - goal.gains[b]));
    }
  }
  return worst;
}

TEST(FirDesign, HasAllWindowsOfScipy) {
  const Value golden = designs();
  ASSERT_GE(golden.at("windows").as_object().size(), 55U);
  for (const auto& [name, expected] : golden.at("windows").as_object()) {
    SCOPED_TRACE(name);
    const auto parts = split(name, '|');
    expect_near(window_values(Window::from_text(parts[0]), parse_integer(parts[1])),
                numbers(expected), 2e-14);
  }
}

TEST(FirDesign, TakesTheLengthAndTheWindowThatAnAttenuationNeeds) {
  const Value golden = designs();
  for (const Value& one : golden.at("kaiser").as_array()) {
    Fir params;
    params.cutoff_hz = numbers(one.at("edges"));
    params.band = op::Codec<FirBand>::read(one.at("band"));
    params.attenuation_db = one.at("attenuation_db").as_number();
    params.transition_hz = one.at("transition").as_number();
    expect_near(fir_taps(params, kRate), numbers(one.at("taps")), 1e-14);
  }
}

TEST(FirDesign, EqualsScipysLeastSquares) {
  const Value golden = designs();
  for (const Value& one : golden.at("optimal").as_array()) {
    Fir params{.design = FirDesign::least_squares};
    params.length = one.at("length").as_integer();
    params.bands_hz = numbers(one.at("edges"));
    params.desired = numbers(one.at("gains"));
    params.weight = numbers(one.at("weights"));
    expect_near(fir_taps(params, kRate), numbers(one.at("firls")), 1e-10);
  }
}

TEST(FirDesign, HasNoLargerErrorThanScipysRemez) {
  const Value golden = designs();
  for (const Value& one : golden.at("optimal").as_array()) {
    const FirGoal goal{numbers(one.at("edges")), numbers(one.at("gains")),
                       numbers(one.at("weights"))};
    const auto taps = equiripple_fir(goal, one.at("length").as_integer());
    // Both stand on grids of their own, whose points miss the extrema by a little.
    expect_near(taps, numbers(one.at("remez")), 2e-3 * one.at("remez_error").as_number());
    EXPECT_LE(error_of(taps, goal), 1.002 * one.at("remez_error").as_number());
  }
}

TEST(FirDesign, FindsLongFilters) {
  const FirGoal goal{{0, 0.1, 0.11, 1}, {1, 0}, {1, 1}};
  EXPECT_LT(error_of(equiripple_fir(goal, 401), goal), 9.5e-3);
  const FirGoal wide{{0, 0.1, 0.6, 1}, {1, 0}, {1, 1}};
  EXPECT_LT(error_of(least_squares_fir(wide, 401), wide), 1e-6);
}

TEST(FirDesign, PutsPassAndStopBandsBesideEachCutoff) {
  Fir by_band{.design = FirDesign::equiripple, .band = FirBand::bandpass, .cutoff_hz = {0.2, 0.5}};
  by_band.length = 61;
  by_band.transition_hz = 0.1;
  Fir by_edges{.design = FirDesign::equiripple, .length = 61};
  by_edges.bands_hz = {0, 0.15, 0.25, 0.45, 0.55, 1};
  by_edges.desired = {0, 1, 0};
  expect_near(fir_taps(by_band, kRate), fir_taps(by_edges, kRate), 1e-9);
}

TEST(FirDesign, SquaresTheGainInZeroPhase) {
  Fir params{.taps = {0.5, -1.25, 3.0, 0.125}, .mode = FirMode::zero_phase};
  const auto plan = plan_fir(fir_taps(params, kRate), params.mode);
  EXPECT_EQ(plan.length, 7);
  EXPECT_EQ(plan.before, 3);
  EXPECT_EQ(plan.after, 3);
  EXPECT_EQ(plan.taps,
            (std::vector<float>{0.0625F, 1.34375F, -4.0F, 10.828125F, -4.0F, 1.34375F, 0.0625F}));
}

}  // namespace
}  // namespace weir::signal
