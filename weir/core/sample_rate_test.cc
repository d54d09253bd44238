#include "weir/core/sample_rate.h"

#include <gtest/gtest.h>

#include "weir/testing/conformance.h"

namespace weir {
namespace {

TEST(SampleRate, IsTheExactRatioOfItsDecimalText) {
  EXPECT_EQ(SampleRate::from_hz(30000.12).exact(), Rational(750003, 25));
  EXPECT_EQ(SampleRate::from_hz(24414.0625).exact(), Rational(390625, 16));
  EXPECT_EQ(SampleRate::from_hz(30000.12).text(), "30000.12 Hz (750003/25)");
  EXPECT_EQ(SampleRate::from_hz(30000).text(), "30000 Hz");
  EXPECT_EQ(SampleRate::from_hz(30000.12).hz(), 30000.12);
}

TEST(SampleRate, CountsFramesInExactDecimalArithmetic) {
  const SampleRate rate = SampleRate::from_hz(30000);
  EXPECT_EQ(rate.ceil_frames(0.001), 30);    // 0.001 * 30000 is 30 exactly, not 30.000…4
  EXPECT_EQ(rate.floor_frames(0.0007), 21);  // in doubles it is 20.999…
  EXPECT_EQ(rate.ceil_frames(0.00101), 31);
  EXPECT_EQ(rate.nearest_frames(0.00005), 2);  // 1.5 frames: halves go up
  EXPECT_EQ(rate.nearest_frames(0.00004), 1);
  for (std::int64_t frames = 0; frames < 3000; ++frames) {  // Quotients have more digits than fit.
    EXPECT_EQ(rate.nearest_frames(static_cast<double>(frames) / rate.hz()), frames);
  }
  EXPECT_EQ(SampleRate::from_hz(30000.12).ceil_frames(1), 30001);
  EXPECT_EQ(SampleRate::from_hz(30000.12).floor_frames(25), 750003);
}

TEST(SampleRate, KeepsItsPlaceAfterAYear) {
  const SampleRate rate = SampleRate::from_hz(30000.12);
  const std::int64_t frames = rate.exact().floor_times(365 * 86400);
  EXPECT_NEAR(rate.seconds(frames), 365.0 * 86400, 1e-4);
  EXPECT_EQ(rate.seconds(750003), 25);
}

TEST(SampleRate, MustBePositive) {
  testing::expect_error(ErrorCode::invalid_spec, "-1 Hz is not positive",
                        [] { SampleRate::from_hz(-1); });
  testing::expect_error(ErrorCode::invalid_spec, "not positive", [] { SampleRate::from_hz(0); });
}

}  // namespace
}  // namespace weir
