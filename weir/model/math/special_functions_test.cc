#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "weir/core/text.h"
#include "weir/model/math/every_table_internal.h"

namespace weir::model {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One row of golden/<function>.npy: the value is `high` + `low`.
struct Row {
  double a;
  double b;
  double high;
  double low;
};

std::vector<Row> golden(std::string_view function) {
  const std::string folder = WEIR_SOURCE_DIR "/weir/model/math/golden/";
  const std::string file = read_text_file(folder + std::string(function) + ".npy");
  const std::size_t start =
      10 + static_cast<unsigned char>(file.at(8)) + 256 * static_cast<unsigned char>(file.at(9));
  std::vector<Row> rows((file.size() - start) / sizeof(Row));
  std::memcpy(rows.data(), file.data() + start, rows.size() * sizeof(Row));
  return rows;
}

Function called(std::string_view text) {
  int f = 0;
  while (name(static_cast<Function>(f)) != text) {
    ++f;
  }
  return static_cast<Function>(f);
}

double last_place(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, exponent - 53);
}

/// How far a value may be off: last places, and a part of max(1, |value|) besides.
struct Bound {
  std::string_view function;
  double places;
  double besides = 0;
};

// Libraries: what libmvec promises. Ours: as vector_functions.h states.
constexpr Bound kBounds[] = {{"exp", 4},
                             {"expm1", 4},
                             {"log", 4},
                             {"log1p", 4},
                             {"cbrt", 4},
                             {"sin", 4},
                             {"cos", 4},
                             {"tan", 4},
                             {"asin", 4},
                             {"acos", 4},
                             {"atan", 4},
                             {"sinh", 4},
                             {"cosh", 4},
                             {"tanh", 4},
                             {"erf", 4},
                             {"erfc", 4},
                             {"pow", 4},
                             {"atan2", 4},
                             {"erfcx", 3},
                             {"dawson", 3},
                             {"bessel_i0e", 3},
                             {"bessel_i1e", 3},
                             {"digamma", 3, 1.5e-15},
                             {"trigamma", 6}};

void expect_near_golden(Function function, double places, double besides_where_negative,
                        double besides) {
  const auto rows = golden(name(function));
  ASSERT_GE(rows.size(), 190u);
  for (const FunctionTable* table : every_table()) {
    for (const Row& row : rows) {
      const double y = in_lane(*table, function, row.a, row.b);
      const double error = std::abs((y - row.high) - row.low);
      const double part = row.a < 0 ? besides_where_negative : besides;
      EXPECT_LE(error, places * last_place(row.high) + part * std::max(1.0, std::abs(row.high)))
          << table->source << " " << name(function) << "(" << row.a << ", " << row.b << ") = " << y
          << ", not " << row.high;
    }
  }
}

TEST(SpecialFunctions, AreNearTheValuesOfMpmath) {
  for (const auto& [function, places, besides] : kBounds) {
    expect_near_golden(called(function), places, besides, besides);
  }
}

TEST(SpecialFunctions, LgammaKeepsItsPlacesAtOneAndTwoAndIsNearBelowZero) {
  expect_near_golden(called("lgamma"), 4, 2e-15, 0);
}

// Above the axis each part keeps its own places; below, the error is a part of |w|.
TEST(SpecialFunctions, FaddeevaIsNearTheValuesOfMpmathInTheWholePlane) {
  const auto re = golden("faddeeva_re");
  const auto im = golden("faddeeva_im");
  for (const FunctionTable* table : every_table()) {
    for (std::size_t i = 0; i < re.size(); ++i) {
      const double size = std::hypot(re[i].high, im[i].high);
      if (!std::isfinite(size)) {
        continue;
      }
      for (const auto& [function, row] :
           {std::pair(Function::faddeeva_re, re[i]), std::pair(Function::faddeeva_im, im[i])}) {
        const double y = in_lane(*table, function, row.a, row.b);
        const double error = std::abs((y - row.high) - row.low);
        const double places = function == Function::faddeeva_re ? 10 : 64;
        EXPECT_LE(error, row.b < 0 ? 4e-15 * size : places * last_place(row.high))
            << table->source << " " << name(function) << "(" << row.a << " + " << row.b
            << "i) = " << y << ", not " << row.high;
      }
    }
  }
}

TEST(SpecialFunctions, FaddeevaInPairsHasTheBitsOfItsParts) {
  for (const FunctionTable* table : every_table()) {
    for (const Row& row : golden("faddeeva_re")) {
      Lanes x;
      Lanes y;
      for (int i = 0; i < kMathLanes; ++i) {
        x.values[i] = row.a;
        y.values[i] = row.b;
      }
      table->faddeeva(x.values, y.values, x.values, y.values, kMathLanes);
      EXPECT_EQ(steps_apart(x.values[5], in_lane(*table, Function::faddeeva_re, row.a, row.b)), 0);
      EXPECT_EQ(steps_apart(y.values[5], in_lane(*table, Function::faddeeva_im, row.a, row.b)), 0);
    }
  }
}

struct Edge {
  Function function;
  double a;
  double b;
  double value;
};

const Edge kEdges[] = {
    {Function::erfcx, kInfinity, 0, 0},
    {Function::erfcx, -kInfinity, 0, kInfinity},
    {Function::erfcx, -27.0, 0, kInfinity},
    {Function::erfcx, 0, 0, 1},
    {Function::erfcx, 1e300, 0, 5.6418958354775628e-301},
    {Function::erfcx, kNan, 0, kNan},
    {Function::dawson, 0.0, 0, 0.0},
    {Function::dawson, -0.0, 0, -0.0},
    {Function::dawson, 1e-310, 0, 1e-310},
    {Function::dawson, -1e300, 0, -5e-301},
    {Function::dawson, kInfinity, 0, 0},
    {Function::dawson, kNan, 0, kNan},
    {Function::lgamma, 0.0, 0, kInfinity},
    {Function::lgamma, -0.0, 0, kInfinity},
    {Function::lgamma, 1, 0, 0},
    {Function::lgamma, 2, 0, 0},
    {Function::lgamma, -1, 0, kInfinity},
    {Function::lgamma, -1e300, 0, kInfinity},
    {Function::lgamma, 1e306, 0, kInfinity},
    {Function::lgamma, 4.9406564584124654e-324, 0, 744.44007192138122},
    {Function::lgamma, -4.9406564584124654e-324, 0, 744.44007192138122},
    {Function::lgamma, kInfinity, 0, kInfinity},
    {Function::lgamma, -kInfinity, 0, kInfinity},
    {Function::lgamma, kNan, 0, kNan},
    {Function::digamma, 0.0, 0, -kInfinity},
    {Function::digamma, -0.0, 0, kInfinity},
    {Function::digamma, -3, 0, kNan},
    {Function::digamma, -1e300, 0, kNan},
    {Function::digamma, -kInfinity, 0, kNan},
    {Function::digamma, kInfinity, 0, kInfinity},
    {Function::digamma, 1e300, 0, 690.77552789821368},
    {Function::digamma, kNan, 0, kNan},
    {Function::trigamma, 0.0, 0, kInfinity},
    {Function::trigamma, -0.0, 0, kInfinity},
    {Function::trigamma, -4, 0, kInfinity},
    {Function::trigamma, 1e300, 0, 1e-300},
    {Function::trigamma, kInfinity, 0, 0},
    {Function::trigamma, kNan, 0, kNan},
    {Function::bessel_i0e, 0, 0, 1},
    {Function::bessel_i0e, -1e300, 0, 3.9894228040143270e-151},
    {Function::bessel_i0e, kInfinity, 0, 0},
    {Function::bessel_i0e, kNan, 0, kNan},
    {Function::bessel_i1e, 0.0, 0, 0.0},
    {Function::bessel_i1e, -0.0, 0, -0.0},
    {Function::bessel_i1e, -1e300, 0, -3.9894228040143270e-151},
    {Function::bessel_i1e, -kInfinity, 0, -0.0},
    {Function::bessel_i1e, kNan, 0, kNan},
    {Function::faddeeva_re, 0, 0, 1},
    {Function::faddeeva_im, 0.0, 0, 0.0},
    {Function::faddeeva_im, -0.0, 1, -0.0},
    {Function::faddeeva_re, kInfinity, 1, 0},
    {Function::faddeeva_im, kInfinity, 1, 0},
    {Function::faddeeva_re, 1, kInfinity, 0},
    {Function::faddeeva_im, 1, kInfinity, 0},
    {Function::faddeeva_re, 0, -kInfinity, kInfinity},
    {Function::faddeeva_im, 0, -kInfinity, 0},
    {Function::faddeeva_re, 1e300, 0, 0},
    {Function::faddeeva_im, 1e300, 0, 5.6418958354775628e-301},
    {Function::faddeeva_re, 0, -30, kInfinity},
    {Function::faddeeva_re, kNan, 1, kNan},
    {Function::faddeeva_im, 1, kNan, kNan},
    // 2 exp(-z^2) has a phase of 2e40 here.
    {Function::faddeeva_re, 1e20, -1e20, kNan},
};

TEST(SpecialFunctions, HaveTheirLimitsAtTheEdges) {
  for (const FunctionTable* table : every_table()) {
    for (const auto& [function, a, b, value] : kEdges) {
      const double y = in_lane(*table, function, a, b);
      EXPECT_LE(steps_apart(y, value), 2) << table->source << " " << name(function) << "(" << a
                                          << ", " << b << ") = " << y << ", not " << value;
    }
  }
}

}  // namespace
}  // namespace weir::model
