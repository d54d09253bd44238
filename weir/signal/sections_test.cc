#include "weir/signal/sections.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace weir::signal {
namespace {
struct Design {
  Band band;
  std::vector<double> edges_hz;
  std::int64_t order;
  double rate_hz;
};

/// The list of golden/make.py, in its order.
std::vector<Design> golden_designs() {
  std::vector<Design> designs = {
      {Band::bandpass, {300, 6000}, 5, 30000}, {Band::bandpass, {1, 300}, 5, 30000},
      {Band::bandpass, {0.5, 100}, 5, 30000},  {Band::bandpass, {0.1, 10}, 5, 30000},
      {Band::bandpass, {5, 200}, 5, 30000},    {Band::bandpass, {20, 450}, 4, 2000},
      {Band::bandstop, {59, 61}, 2, 30000},    {Band::bandstop, {45, 55}, 4, 1000},
      {Band::bandstop, {100, 9000}, 3, 30000}};
  const auto every_order = [&](Band band, std::vector<double> edges, double rate) {
    for (std::int64_t order = 1; order <= 8; ++order) {
      designs.push_back({band, edges, order, rate});
    }
  };
  every_order(Band::lowpass, {300}, 30000);
  every_order(Band::highpass, {0.3}, 30000);
  every_order(Band::bandpass, {8, 13}, 256);
  every_order(Band::bandstop, {2000, 9100}, 30000);
  designs.push_back({Band::lowpass, {14999}, 4, 30000});
  designs.push_back({Band::highpass, {14990}, 3, 30000});
  designs.push_back({Band::bandpass, {9000, 14000}, 5, 30000});
  designs.push_back({Band::bandpass, {1000, 13000}, 5, 30000});
  return designs;
}

/// The numbers of a little-endian float64 .npy, with all their digits.
std::vector<double> load_doubles(const std::string& name) {
  std::ifstream file(WEIR_SOURCE_DIR "/weir/signal/ops/iir/golden/" + name, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::uint16_t header = 0;
  std::memcpy(&header, bytes.data() + 8, sizeof header);
  std::vector<double> values((bytes.size() - 10 - header) / sizeof(double));
  std::memcpy(values.data(), bytes.data() + 10 + header, values.size() * sizeof(double));
  return values;
}

TEST(Sections, AgreeWithSixtyDigitDesigns) {
  const auto golden = load_doubles("designs.npy");
  std::size_t at = 0;
  for (const Design& design : golden_designs()) {
    const auto sections = butterworth(design.band, design.order, design.edges_hz, design.rate_hz);
    for (const Section& section : sections) {
      ASSERT_LE(at + 5, golden.size());
      // numerics.md: poles near the circle magnify what float64 edges cannot say.
      const double tolerance = 1e-12 * std::max(1.0, 1e-3 / std::abs(stability_margin(section)));
      const double actual[] = {section.b0, section.beta1, section.beta2, section.alpha1,
                               section.alpha2};
      for (const double value : actual) {
        EXPECT_NEAR(value, golden[at], tolerance * std::abs(golden[at]) + 1e-300)
            << "order " << design.order << ", " << design.edges_hz[0] << " Hz, number " << at % 5;
        ++at;
      }
      EXPECT_NEAR(section.a1, section.alpha1 - 2, 1e-15);
      EXPECT_NEAR(section.a2, 1 - section.alpha1 + section.alpha2, 1e-15);
      EXPECT_NEAR(section.b1, section.beta1 - 2 * section.b0, 1e-15);
    }
  }
  EXPECT_EQ(at, golden.size());
}

TEST(Sections, AttenuateEveryEdgeByHalfThePower) {
  for (const Design& design : golden_designs()) {
    const auto sections = butterworth(design.band, design.order, design.edges_hz, design.rate_hz);
    for (const double edge : design.edges_hz) {
      EXPECT_NEAR(std::norm(response(sections, edge, design.rate_hz)), 0.5, 1e-8) << edge << " Hz";
    }
  }
}

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
