#include "weir/model/math/vector_functions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "weir/model/math/function_table_internal.h"

namespace weir::model {
namespace {

struct alignas(64) Eight {
  double values[kMathLanes];
};

struct Elementary {
  Function function;
  double (*libm)(double);
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kSubnormal = std::numeric_limits<double>::denorm_min();

const std::vector<Elementary>& elementary() {
  static const std::vector<Elementary> all = {
      {Function::exp, std::exp},     {Function::expm1, std::expm1}, {Function::log, std::log},
      {Function::log1p, std::log1p}, {Function::cbrt, std::cbrt},   {Function::sin, std::sin},
      {Function::cos, std::cos},     {Function::tan, std::tan},     {Function::asin, std::asin},
      {Function::acos, std::acos},   {Function::atan, std::atan},   {Function::sinh, std::sinh},
      {Function::cosh, std::cosh},   {Function::tanh, std::tanh},   {Function::erf, std::erf},
      {Function::erfc, std::erfc}};
  return all;
}

std::vector<const FunctionTable*> tables() {
  std::vector<const FunctionTable*> found;
  for (const auto target : {MathTarget::portable, MathTarget::avx2, MathTarget::avx512}) {
    if (const FunctionTable* table = function_table(target)) {
      found.push_back(table);
    }
  }
  return found;
}

double in_lane(const FunctionTable& table, Function function, double a, double b, int lane,
               double others) {
  Eight x;
  Eight z;
  Eight y;
  for (double& value : x.values) {
    value = others;
  }
  for (double& value : z.values) {
    value = others;
  }
  x.values[lane] = a;
  z.values[lane] = b;
  const auto f = static_cast<std::size_t>(function);
  if (arity(function) == 1) {
    table.unary[f](x.values, y.values, kMathLanes);
  } else {
    table.binary[f](x.values, z.values, y.values, kMathLanes);
  }
  return y.values[lane];
}

// Distance in units of the last place; NaN equals NaN, and zeros differ by their sign.
double steps_apart(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::isnan(a) && std::isnan(b) ? 0 : kInfinity;
  }
  if (a == b) {
    return std::signbit(a) == std::signbit(b) ? 0 : kInfinity;
  }
  if (std::isinf(a) || std::isinf(b)) {
    return kInfinity;
  }
  const auto ordered = [](double v) {
    const auto bits = std::bit_cast<std::int64_t>(v);
    return bits < 0 ? static_cast<double>(std::numeric_limits<std::int64_t>::min() - bits)
                    : static_cast<double>(bits);
  };
  return std::abs(ordered(a) - ordered(b));
}

std::vector<double> edges() {
  std::vector<double> all = {0.0,
                             kSubnormal,
                             1e-310,
                             2.2250738585072014e-308,
                             1e-300,
                             1e-20,
                             0.5,
                             1.0,
                             std::nextafter(1.0, 0.0),
                             2.0,
                             20.0,
                             27.0,
                             30.0,
                             700.0,
                             708.4,
                             709.7,
                             709.79,
                             710.4,
                             710.48,
                             740.0,
                             745.13,
                             745.14,
                             1e5,
                             1e10,
                             1e22,
                             1e300,
                             std::numeric_limits<double>::max(),
                             kInfinity};
  const std::size_t positive = all.size();
  for (std::size_t i = 0; i < positive; ++i) {
    all.push_back(-all[i]);
  }
  all.push_back(kNan);
  return all;
}

TEST(VectorFunctions, AgreeWithLibmAtTheEdges) {
  for (const FunctionTable* table : tables()) {
    for (const auto& [function, libm] : elementary()) {
      for (const double x : edges()) {
        const double y = in_lane(*table, function, x, 0, 3, 0.5);
        EXPECT_LE(steps_apart(y, libm(x)), 4) << table->source << " " << name(function) << "(" << x
                                              << ") = " << y << ", not " << libm(x);
      }
    }
  }
}

TEST(VectorFunctions, AgreeWithLibmAtTheEdgesOfTwoArguments) {
  for (const FunctionTable* table : tables()) {
    for (const double a : edges()) {
      for (const double b : edges()) {
        const double power = in_lane(*table, Function::pow, a, b, 5, 0.5);
        EXPECT_LE(steps_apart(power, std::pow(a, b)), 4)
            << table->source << " pow(" << a << ", " << b << ") = " << power << ", not "
            << std::pow(a, b);
        const double angle = in_lane(*table, Function::atan2, a, b, 5, 0.5);
        EXPECT_LE(steps_apart(angle, std::atan2(a, b)), 4)
            << table->source << " atan2(" << a << ", " << b << ") = " << angle << ", not "
            << std::atan2(a, b);
      }
    }
  }
}

}  // namespace
}  // namespace weir::model
