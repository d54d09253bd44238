#include "weir/signal/ops/iir/iir_error.h"

#include <gtest/gtest.h>

#include "weir/signal/ops/iir/iir.h"

namespace weir::signal {
namespace {
Sections band(double low, double high) {
  const double edges[] = {low, high};
  return butterworth(Band::bandpass, 5, edges, 30000);
}

Sections notch() {
  const std::array<double, 6> row = {0.999790604342423,   -1.9994233301584798, 0.999790604342423, 1,
                                     -1.9994233301584798, 0.9995812086848459};
  return {Section::from_row(row)};
}

/// Within a third or so: numerics.md gives two digits, and its roundings are placed a little
/// otherwise.
void expect_about(double actual, double expected) {
  EXPECT_GT(actual, 0.7 * expected);
  EXPECT_LT(actual, 1.4 * expected);
}

TEST(IirError, PredictsWhatWasMeasured) {
  struct Row {
    Sections sections;
    double white;
    double offset;
  };
  const Row rows[] = {{band(300, 6000), 1.5e-7, 6.0e-7},
                      {band(1, 300), 5.7e-8, 5.9e-6},
                      {band(0.5, 100), 5.3e-8, 8.3e-6},
                      {band(0.1, 10), 4.8e-8, 1.9e-5},
                      {notch(), 5.5e-8, 3.2e-7}};
  for (const Row& row : rows) {
    expect_about(float32_error(row.sections, 0), row.white);
    expect_about(float32_error(row.sections, kAssumedDc), row.offset);
  }
}

TEST(IirError, KnowsHowLongAFilterRings) {
  const auto about = [](std::int64_t actual, std::int64_t expected) {
    EXPECT_NEAR(static_cast<double>(actual), static_cast<double>(expected),
                0.02 * static_cast<double>(expected));
  };
  EXPECT_EQ(run_in_frames(band(300, 6000), 1e-6), 860);
  about(run_in_frames(notch(), 1e-6), 71'029);
  const double edge[] = {1};
  about(run_in_frames(butterworth(Band::highpass, 5, edge, 30000), 1e-6), 242'727);
  about(run_in_frames(band(0.5, 100), 1e-6), 488'866);  // SciPy; numerics.md stopped at 451,149
}

TEST(IirError, MovesStatesAsTheFilterDoes) {
  const auto sections = band(300, 6000);
  const auto impulse = impulse_response(sections, 101);
  // After the impulse the state is what one frame leaves; 99 frames on, the output is its own.
  const auto coefficients = delta_coefficients<double>(sections);
  std::vector<double> state;
  double x = 1;
  for (const Section& s : sections) {
    const double y = s.b0 * x;
    state.push_back(s.beta1 * x - s.alpha1 * y);
    state.push_back(s.beta2 * x - s.alpha2 * y);
    x = y;
  }
  const auto moved = state_transition(coefficients, 99) * std::span<const double>(state);
  double y = 0;  // of the next frame: each section passes y = b0 y + s1
  for (std::size_t i = 0; i < sections.size(); ++i) {
    y = sections[i].b0 * y + moved[2 * i];
  }
  EXPECT_NEAR(y, impulse[100], 1e-14);
}
}  // namespace
}  // namespace weir::signal
