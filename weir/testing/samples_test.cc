#include "weir/testing/samples.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>

namespace weir::testing {
namespace {

TEST(Samples, NoiseHasTheWantedSpreadAndRepeatsItself) {
  const Samples first = noise(20000, 3, 2.0, 7);
  EXPECT_EQ(first, noise(20000, 3, 2.0, 7));
  EXPECT_NE(first, noise(20000, 3, 2.0, 8));
  double sum = 0;
  double squares = 0;
  for (const float value : first.values) {
    sum += value;
    squares += double{value} * value;
  }
  const auto count = static_cast<double>(first.values.size());
  EXPECT_NEAR(sum / count, 0, 0.03);
  EXPECT_NEAR(std::sqrt(squares / count), 2.0, 0.03);
}

TEST(Samples, CloseComparesWithTheLargestExpectedMagnitude) {
  const Samples expected{2, 1, {100, 1}};
  expect_close({2, 1, {100, 1.0001F}}, expected, 2e-6);
  EXPECT_NONFATAL_FAILURE(expect_close({2, 1, {100, 1.001F}}, expected, 2e-6), "frame 1");
  EXPECT_NONFATAL_FAILURE(expect_close({2, 1, {NAN, 1}}, expected, 2e-6), "frame 0");
  EXPECT_NONFATAL_FAILURE(expect_close({1, 1, {100}}, expected, 2e-6), "shape");
}

TEST(Samples, IdenticalTellsZeroFromMinusZero) {
  expect_identical({1, 2, {0, NAN}}, {1, 2, {0, NAN}}, "same");
  EXPECT_NONFATAL_FAILURE(expect_identical({1, 1, {-0.0F}}, {1, 1, {0.0F}}, "sign"), "sign");
}

}  // namespace
}  // namespace weir::testing
