#include "weir/signal/filter_design.h"

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
  PrototypeShape shape = {};

  Sections sections() const {
    PrototypeShape whole = shape;
    whole.order = order;
    return digital_filter(prototype(whole), band, edges_hz, rate_hz);
  }
};

/// The list DESIGNS of golden/make.py, in its order.
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

/// Its list FAMILIES.
std::vector<Design> golden_families() {
  std::vector<Design> designs;
  for (const auto& shape : {PrototypeShape{.family = Family::chebyshev1, .ripple_db = 0.5},
                            {.family = Family::chebyshev2, .attenuation_db = 60},
                            {.family = Family::elliptic, .ripple_db = 0.1, .attenuation_db = 80},
                            {.family = Family::bessel}}) {
    for (std::int64_t order = 1; order <= 8; ++order) {
      designs.push_back({Band::lowpass, {300}, order, 30000, shape});
    }
    designs.push_back({Band::highpass, {0.3}, 5, 30000, shape});
    designs.push_back({Band::bandpass, {300, 6000}, 5, 30000, shape});
    designs.push_back({Band::bandpass, {8, 13}, 4, 256, shape});
    designs.push_back({Band::bandpass, {0.1, 10}, 5, 30000, shape});
    designs.push_back({Band::bandstop, {59, 61}, 3, 30000, shape});
    designs.push_back({Band::bandstop, {2000, 9100}, 4, 30000, shape});
    designs.push_back({Band::lowpass, {14990}, 4, 30000, shape});
    designs.push_back({Band::lowpass, {1000}, 16, 30000, shape});
    designs.push_back({Band::highpass, {12000}, 7, 30000, shape});
  }
  const auto shape = [](Family family, double ripple_db, double attenuation_db) {
    return PrototypeShape{
        .family = family, .ripple_db = ripple_db, .attenuation_db = attenuation_db};
  };
  designs.push_back({Band::lowpass, {300}, 10, 30000, shape(Family::elliptic, 3, 20)});
  designs.push_back({Band::bandpass, {300, 6000}, 8, 30000, shape(Family::elliptic, 1e-3, 200)});
  designs.push_back({Band::highpass, {300}, 6, 30000, shape(Family::chebyshev1, 12, 0)});
  designs.push_back({Band::lowpass, {3000}, 32, 30000, shape(Family::chebyshev1, 0.5, 0)});
  designs.push_back({Band::lowpass, {3000}, 20, 30000, shape(Family::elliptic, 0.1, 80)});
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

/// `golden`: b0 beta1 beta2 alpha1 alpha2 of every section of every design.
void expect_digits(const std::vector<Design>& designs, const std::vector<double>& golden) {
  std::size_t at = 0;
  for (const Design& design : designs) {
    for (const Section& section : design.sections()) {
      ASSERT_LE(at + 5, golden.size());
      // numerics.md: poles near the circle magnify what float64 edges cannot say.
      const double tolerance = 1e-12 * std::max(1.0, 1e-3 / std::abs(stability_margin(section)));
      const double actual[] = {section.b0, section.beta1, section.beta2, section.alpha1,
                               section.alpha2};
      for (const double value : actual) {
        EXPECT_NEAR(value, golden[at], tolerance * std::abs(golden[at]) + 1e-300)
            << "family " << static_cast<int>(design.shape.family) << ", band "
            << static_cast<int>(design.band) << ", order " << design.order << ", "
            << design.edges_hz[0] << " Hz, number " << at % 5;
        ++at;
      }
      EXPECT_NEAR(section.a1, section.alpha1 - 2, 1e-15);
      EXPECT_NEAR(section.a2, 1 - section.alpha1 + section.alpha2, 1e-15);
      EXPECT_NEAR(section.b1, section.beta1 - 2 * section.b0, 1e-15 * std::abs(section.b0));
    }
  }
  EXPECT_EQ(at, golden.size());
}

TEST(FilterDesign, AgreesWithSixtyDigits) {
  expect_digits(golden_designs(), load_doubles("designs.npy"));
}

TEST(FilterDesign, AgreesWithSixtyDigitsForEveryFamily) {
  expect_digits(golden_families(), load_doubles("families.npy"));
}

// SciPy pairs poles and zeros with its own ties, so what is compared is the response; its own
// digits end sooner where the edges are low.
TEST(FilterDesign, RespondsAsSciPyDoes) {
  constexpr double kTurns[] = {0.001, 0.004, 0.0137, 0.043, 0.11, 0.19, 0.27, 0.36, 0.45};
  const auto golden = load_doubles("families_scipy.npy");
  std::size_t at = 0;
  for (const Design& design : golden_families()) {
    const Sections sections = design.sections();
    for (const double turn : kTurns) {
      ASSERT_LE(at + 2, golden.size());
      const std::complex<double> expected(golden[at], golden[at + 1]);
      EXPECT_LT(std::abs(response(sections, turn, 1) - expected), 1e-6)
          << "family " << static_cast<int>(design.shape.family) << ", order " << design.order;
      at += 2;
    }
  }
  EXPECT_EQ(at, golden.size());
}

double level_db(const Sections& sections, double frequency_hz) {
  return 20 * std::log10(std::abs(response(sections, frequency_hz, 30000)));
}

TEST(FilterDesign, KeepsRipplesAndAttenuationBetweenItsEdges) {
  for (const std::int64_t order : {1, 2, 5, 8}) {
    const Design elliptic{Band::lowpass,
                          {1000},
                          order,
                          30000,
                          {.family = Family::elliptic, .ripple_db = 1, .attenuation_db = 50}};
    const Design chebyshev1{
        Band::highpass, {1000}, order, 30000, {.family = Family::chebyshev1, .ripple_db = 2}};
    const Design chebyshev2{Band::bandstop,
                            {1000, 3000},
                            order,
                            30000,
                            {.family = Family::chebyshev2, .attenuation_db = 40}};
    const Sections sharp = elliptic.sections();
    const Sections rippled = chebyshev1.sections();
    const Sections flat = chebyshev2.sections();
    EXPECT_NEAR(level_db(sharp, 1000), -1, 1e-9);
    EXPECT_NEAR(level_db(rippled, 1000), -2, 1e-9);
    EXPECT_NEAR(level_db(flat, 1000), -40, 1e-7);
    EXPECT_NEAR(level_db(flat, 3000), -40, 1e-7);
    for (double hz = 1; hz < 15000; hz += 7) {
      const double pass = hz <= 1000 ? level_db(sharp, hz) : level_db(rippled, hz);
      EXPECT_LT(pass, 1e-9) << hz;
      EXPECT_GT(pass, hz <= 1000 ? -1 - 1e-9 : -2 - 1e-9) << hz;
      if (hz >= 1000 && hz <= 3000) {
        EXPECT_LT(level_db(flat, hz), -40 + 1e-7) << hz;
      }
      if (hz > 10000 && order == 8) {
        EXPECT_LT(level_db(sharp, hz), -50 + 1e-7) << hz;
      }
    }
  }
}

TEST(FilterDesign, AttenuatesEveryButterworthEdgeByHalfThePower) {
  for (const Design& design : golden_designs()) {
    const auto sections = butterworth(design.band, design.order, design.edges_hz, design.rate_hz);
    for (const double edge : design.edges_hz) {
      EXPECT_NEAR(std::norm(response(sections, edge, design.rate_hz)), 0.5, 1e-8) << edge << " Hz";
    }
  }
}
}  // namespace
}  // namespace weir::signal
