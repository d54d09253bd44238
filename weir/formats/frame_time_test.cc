#include "weir/formats/frame_time.h"

#include <gtest/gtest.h>

#include "weir/testing/conformance.h"

namespace weir::formats {
namespace {

TEST(FrameTime, IsExactWhereThatFits) {
  EXPECT_EQ(frame_time(45000, SampleRate::from_hz(30000)), Rational(3, 2));
  EXPECT_EQ(exact_seconds(8192.202312), Rational(1024025289, 125000));
}

TEST(FrameTime, IsNearToTheNanosecondWhereItDoesNot) {
  const auto rate = SampleRate::from_hz(30000.149579831934);
  EXPECT_NEAR(frame_time(48994605, rate).to_double(), 48994605 / 30000.149579831934, 1e-9);
  EXPECT_NEAR(exact_seconds(1.2345678901234567e-12).to_double(), 0, 1e-9);
  testing::expect_error(ErrorCode::invalid_spec, "no time",
                        [] { frame_time(INT64_MAX, SampleRate(Rational(1, 1000))); });
  testing::expect_error(ErrorCode::invalid_spec, "no time",
                        [] { frame_time(INT64_MIN, SampleRate::from_hz(30000)); });
  testing::expect_error(ErrorCode::invalid_spec, "no time", [] { exact_seconds(1e300); });
}

}  // namespace
}  // namespace weir::formats
