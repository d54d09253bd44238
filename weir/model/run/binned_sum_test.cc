#include "weir/model/run/binned_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace weir::model {
namespace {

double sum_of(const std::vector<double>& terms) {
  BinnedSum sum;
  for (const double term : terms) {
    sum.add(term);
  }
  return sum.value();
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

TEST(BinnedSum, HoldsWhatOneTermIs) {
  for (const double term : {1.0, -1.0, 0.1, -1e-270, 1.7976931348623157e308, 4.9e-265, 3.0e17,
                            -0.7e-12, 1099511627776.0, 1099511627775.5}) {
    EXPECT_EQ(bits(sum_of({term})), bits(term)) << term;
    EXPECT_EQ(sum_of({term, -term}), 0.0) << term;
  }
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({0.0, -0.0}), 0.0);
}

TEST(BinnedSum, CancelsExactly) {
  EXPECT_EQ(sum_of({1e16, 1.0, -1e16}), 1.0);
  EXPECT_EQ(sum_of({0.1, 0.2, 0.3, -0.1, -0.2, -0.3}), 0.0);
}

TEST(BinnedSum, DoesNotDependOnOrderOrGrouping) {
  std::mt19937_64 random(7);
  std::vector<double> terms(4000);
  for (double& term : terms) {
    term = std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(random),
                      std::uniform_int_distribution(-200, 200)(random));
  }
  const double expected = sum_of(terms);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(terms.begin(), terms.end(), random);
    BinnedSum joined;
    std::size_t begin = 0;
    while (begin < terms.size()) {
      const std::size_t end = std::min(terms.size(), begin + 1 + random() % 700);
      BinnedSum part;
      for (std::size_t i = begin; i < end; ++i) {
        part.add(terms[i]);
      }
      joined.add(part);
      begin = end;
    }
    EXPECT_EQ(bits(joined.value()), bits(expected)) << "round " << round;
    EXPECT_EQ(bits(sum_of(terms)), bits(expected)) << "round " << round;
  }
}

TEST(BinnedSum, IsAsGoodAsALongerSum) {
  std::mt19937_64 random(8);
  std::vector<double> terms(100'000);
  long double longer = 0;
  for (double& term : terms) {
    term = std::normal_distribution(0.0, 1e3)(random);
    longer += static_cast<long double>(term);
  }
  EXPECT_NEAR(sum_of(terms), static_cast<double>(longer), 1e-9 * 1e-3);
}

TEST(BinnedSum, KeepsInfinitiesAndNaN) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_of({1.0, inf}), inf);
  EXPECT_EQ(sum_of({1.0, -inf, 2.0}), -inf);
  EXPECT_TRUE(std::isnan(sum_of({inf, -inf})));
  EXPECT_TRUE(std::isnan(sum_of({1.0, std::nan("")})));
}

}  // namespace
}  // namespace weir::model
