#include "weir/formats/simplest_ratio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace weir::formats {
namespace {
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

Rational around(double value, double width) {
  return simplest_ratio(static_cast<long double>(value) - width,
                        static_cast<long double>(value) + width)
      .value();
}

TEST(SimplestRatio, IsWhatWasRounded) {
  EXPECT_EQ(around(0.1, 1e-15), Rational(1, 10));
  EXPECT_EQ(around(-0.1, 1e-15), Rational(-1, 10));
  EXPECT_EQ(around(30000.12, 1e-9), Rational(750003, 25));
  EXPECT_EQ(around(44100.0 / 3, 1e-11), Rational(14700));
  EXPECT_EQ(around(1.0 / 3, 1e-15), Rational(1, 3));
  EXPECT_EQ(around(1e-15, 1e-14), Rational(0));
  EXPECT_EQ(simplest_ratio(2.2L, 3.9L), Rational(3));
  EXPECT_EQ(simplest_ratio(0.3L, 0.4L), Rational(1, 3));
  EXPECT_EQ(simplest_ratio(7, 7), Rational(7));
}

TEST(SimplestRatio, IsNothingWhereThereIsNone) {
  EXPECT_FALSE(simplest_ratio(2, 1));
  EXPECT_FALSE(simplest_ratio(kNothing, 1));
  EXPECT_FALSE(simplest_ratio(1, kNothing));
  EXPECT_FALSE(simplest_ratio(1e30L, 1e31L));
  EXPECT_FALSE(simplest_ratio(HUGE_VALL, HUGE_VALL));
}

}  // namespace
}  // namespace weir::formats
