#include "weir/signal/ops/teager_kaiser/teager_kaiser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::make_stream;
using testing::run_operator;
using testing::Samples;

Samples energies_of(const StreamInfo& stream, const Samples& in) {
  return run_operator(teager_kaiser_operator(), Value::object(), stream, in).samples;
}

TEST(TeagerKaiser, Conforms) {
  StreamInfo stream = make_stream(1000, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(teager_kaiser_operator(), Value::object(), stream,
                          {.relative = 0, .int16_input = true});
}

TEST(TeagerKaiser, EqualsNumPyOnPhysicalValues) {
  for (const char* name : {"noise", "slow"}) {
    const std::string folder = "weir/signal/ops/teager_kaiser/golden/";
    const Samples in = testing::load_npy(folder + name + ".npy");
    const Samples out = energies_of(make_stream(1000, in.channels, in.frames), in);
    testing::expect_close(out, testing::load_npy(folder + name + "_energy.npy"), 3e-7);
  }
}

// A cos(w t + p) has the energy A^2 sin^2 w everywhere: what the operator is for.
TEST(TeagerKaiser, MeasuresAmplitudeAndFrequencyOfASine) {
  const double w = 2 * std::numbers::pi * 50 / 1000;
  const Samples in = testing::make_samples(
      300, 1, [&](std::int64_t t, std::int64_t) { return 40 * std::cos(w * double(t) + 0.3); });
  const Samples out = energies_of(make_stream(1000, 1, 300), in);
  const double expected = 40 * 40 * std::sin(w) * std::sin(w);
  for (std::int64_t t = 0; t < 300; ++t) {
    ASSERT_NEAR(out(t, 0), expected, 2e-5 * expected) << t;
  }
}

TEST(TeagerKaiser, TakesTheNeighboursEnergyAtTheEndsAndNoneOfTwoFrames) {
  const Samples out = energies_of(make_stream(1, 1, 4), {4, 1, {1, 3, 2, 5}});
  EXPECT_EQ(out.values, (std::vector<float>{7, 7, -11, -11}));
  EXPECT_EQ(energies_of(make_stream(1, 1, 2), {2, 1, {1, 3}}).values, (std::vector<float>{0, 0}));
  EXPECT_EQ(energies_of(make_stream(1, 1, 1), {1, 1, {5}}).values, (std::vector<float>{0}));
}

TEST(TeagerKaiser, SpreadsNanToItsNeighboursOnly) {
  Samples in = testing::noise(20, 1, 10);
  in(7, 0) = std::nanf("");
  const Samples out = energies_of(make_stream(1, 1, 20), in);
  for (std::int64_t t = 0; t < 20; ++t) {
    EXPECT_EQ(std::isnan(out(t, 0)), t >= 6 && t <= 8) << t;
  }
}

// Promise P5, case C4: 0 means 0 physical, whatever the offset.
TEST(TeagerKaiser, SquaresGainAndUnitAndTakesTheOffsetOff) {
  StreamInfo stream = make_stream(1000, 1, 3, SampleType::int16);
  stream.channels[0].gain = 0.5;
  stream.channels[0].offset = -50;
  const Samples out = energies_of(stream, {3, 1, {100, 104, 100}});
  EXPECT_EQ(out(1, 0) * 0.25, 4);  // (2 uV)^2
  const auto step =
      teager_kaiser_operator().plan(Value::object(), {.in = stream, .temporary_folder = {}});
  EXPECT_EQ(step->ports()[0].stream.channels[0].unit, "uV^2");
  EXPECT_EQ(step->ports()[0].stream.channels[0].gain, 0.25);
}
}  // namespace
}  // namespace weir::signal
