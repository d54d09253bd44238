#include "weir/core/rational.h"

#include <gtest/gtest.h>

#include <limits>

#include "weir/testing/conformance.h"

namespace weir {
namespace {

using testing::expect_error;

TEST(Rational, IsAlwaysReducedWithAPositiveDenominator) {
  EXPECT_EQ(Rational(6, -4).text(), "-3/2");
  EXPECT_EQ(Rational(0, -7).text(), "0");
  EXPECT_EQ(Rational(30000).text(), "30000");
  EXPECT_EQ(Rational(6, 4), Rational(3, 2));
}

TEST(Rational, TakesTheShortestDecimalTextOfADouble) {
  EXPECT_EQ(Rational::from_decimal(30000.12).text(), "750003/25");
  EXPECT_EQ(Rational::from_decimal(24414.0625).text(), "390625/16");
  EXPECT_EQ(Rational::from_decimal(0.1).text(), "1/10");
  EXPECT_EQ(Rational::from_decimal(-2.5).text(), "-5/2");
  EXPECT_EQ(Rational::from_decimal(1e18).text(), "1000000000000000000");
  EXPECT_EQ(Rational::from_decimal(1e-5).text(), "1/100000");
  EXPECT_EQ(Rational::from_decimal(1e-18).text(), "1/1000000000000000000");
  EXPECT_EQ(Rational::from_decimal(0).text(), "0");
}

TEST(Rational, RefusesWhatDoesNotFit) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  expect_error(ErrorCode::invalid_spec, "64-bit", [] { Rational(kLeast, 1); });
  expect_error(ErrorCode::invalid_spec, "64-bit", [] { Rational(1, kLeast); });
  expect_error(ErrorCode::invalid_spec, "not a finite number",
               [] { Rational::from_decimal(std::numeric_limits<double>::quiet_NaN()); });
  expect_error(ErrorCode::invalid_spec, "not a finite number",
               [] { Rational::from_decimal(std::numeric_limits<double>::infinity()); });
  expect_error(ErrorCode::invalid_spec, "64-bit", [] { Rational::from_decimal(1e300); });
  expect_error(ErrorCode::invalid_spec, "64-bit", [] { Rational::from_decimal(1e-300); });
  expect_error(ErrorCode::invalid_spec, "denominator 0", [] { Rational(1, 0); });
  expect_error(ErrorCode::invalid_spec, "denominator 0", [] { Rational(1) / Rational(0); });
  expect_error(ErrorCode::invalid_spec, "64-bit",
               [] { Rational(std::int64_t{1} << 62) * Rational(4); });
}

TEST(Rational, CalculatesExactly) {
  const Rational third(1, 3);
  EXPECT_EQ(third + third + third, Rational(1));
  EXPECT_EQ(third - Rational(1, 2), Rational(-1, 6));
  EXPECT_EQ(third * Rational(3, 4), Rational(1, 4));
  EXPECT_EQ(third / Rational(2, 9), Rational(3, 2));
  EXPECT_LT(third, Rational(33334, 100000));
  EXPECT_GT(Rational(-1, 3), Rational(-1, 2));
  EXPECT_EQ(third.to_double(), 1.0 / 3.0);
}

TEST(Rational, MultipliesCountsBeyondWhatADoubleHolds) {
  const std::int64_t many = (std::int64_t{1} << 62) + 1;
  EXPECT_EQ(Rational(1, 2).floor_times(many), std::int64_t{1} << 61);
  EXPECT_EQ(Rational(1, 2).ceil_times(many), (std::int64_t{1} << 61) + 1);
  EXPECT_EQ(Rational(1, 3).floor_times(-1), -1);
  EXPECT_EQ(Rational(1, 3).ceil_times(-1), 0);
  EXPECT_EQ(Rational(1, 30).ceil_times(60000), 2000);
  EXPECT_EQ(ceil_product(Rational(1, 1000), Rational(30001)), 31);
  EXPECT_EQ(floor_product(Rational(1, 1000), Rational(30001)), 30);
  expect_error(ErrorCode::invalid_spec, "64 bits", [=] { Rational(3).floor_times(many); });
}

}  // namespace
}  // namespace weir
