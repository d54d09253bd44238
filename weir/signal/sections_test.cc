#include "weir/signal/sections.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "weir/signal/filter_design.h"

namespace weir::signal {
namespace {
TEST(Sections, RingAsTheirResponseSays) {
  const double edges[] = {300, 6000};
  const auto sections = butterworth(Band::bandpass, 5, edges, 30000);
  const auto impulse = impulse_response(sections, 4000);
  std::complex<double> sum = 0;
  for (std::size_t t = 0; t < impulse.size(); ++t) {
    sum += impulse[t] *
           std::polar(1.0, -2 * 3.14159265358979323846 * 1000 / 30000 * static_cast<double>(t));
  }
  EXPECT_NEAR(std::abs(sum - response(sections, 1000, 30000)), 0, 1e-12);
}

TEST(Sections, StayWhereTheySettle) {
  const double edge[] = {300};
  const auto sections = butterworth(Band::lowpass, 5, edge, 30000);
  auto states = steady_state(sections);
  for (int frame = 0; frame < 100; ++frame) {
    double x = 1;
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const double y = sections[i].b0 * x + states[i].s1;
      states[i].s1 += sections[i].beta1 * x - sections[i].alpha1 * y + states[i].s2;
      states[i].s2 += sections[i].beta2 * x - sections[i].alpha2 * y;
      x = y;
    }
    EXPECT_NEAR(x, 1, 1e-12);
  }
}

TEST(Sections, ExtendAsSciPyDoes) {
  const double band[] = {300, 6000};
  EXPECT_EQ(default_padlen(butterworth(Band::bandpass, 5, band, 30000)), 33);
  EXPECT_EQ(default_padlen(butterworth(Band::bandpass, 4, band, 30000)), 27);
  EXPECT_EQ(default_padlen(butterworth(Band::highpass, 5, std::span(band).first(1), 30000)), 18);
}

TEST(Sections, KnowHowFarPolesAreFromTheCircle) {
  const std::array<double, 6> outside = {1, 0, 0, 1, -2.5, 1};  // poles 2 and 0.5
  EXPECT_NEAR(stability_margin(Section::from_row(outside)), -1, 1e-12);
  const std::array<double, 6> inside = {1, 0, 0, 2, 0, 1};  // radius sqrt(0.5)
  EXPECT_NEAR(stability_margin(Section::from_row(inside)), 1 - std::sqrt(0.5), 1e-12);
  const std::array<double, 6> negative = {1, 0, 0, 1, 0.9, 0};
  EXPECT_NEAR(stability_margin(Section::from_row(negative)), 0.1, 1e-12);
}
}  // namespace
}  // namespace weir::signal
