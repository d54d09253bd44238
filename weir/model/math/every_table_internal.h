#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "weir/model/math/function_table_internal.h"

/// For the tests of this folder.
namespace weir::model {

/// The tables of every target that this machine has.
inline std::vector<const FunctionTable*> every_table() {
  std::vector<const FunctionTable*> found;
  for (const auto target : {MathTarget::portable, MathTarget::avx2, MathTarget::avx512}) {
    if (const FunctionTable* table = function_table(target)) {
      found.push_back(table);
    }
  }
  return found;
}

struct alignas(64) Lanes {
  double values[kMathLanes];
};

/// f(a, b) computed in one lane while the others compute `others`.
inline double in_lane(const FunctionTable& table, Function function, double a, double b,
                      int lane = 3, double others = 0.5) {
  Lanes first;
  Lanes second;
  Lanes result;
  for (int i = 0; i < kMathLanes; ++i) {
    first.values[i] = i == lane ? a : others;
    second.values[i] = i == lane ? b : others;
  }
  const auto f = static_cast<std::size_t>(function);
  if (arity(function) == 1) {
    table.unary[f](first.values, result.values, kMathLanes);
  } else {
    table.binary[f](first.values, second.values, result.values, kMathLanes);
  }
  return result.values[lane];
}

/// Numbers between a and b; none where both are NaN; without end where one is NaN or infinite or
/// where zeros differ in sign.
inline double steps_apart(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) {
    return 0;
  }
  if (a == b && std::signbit(a) == std::signbit(b)) {
    return 0;
  }
  if (a == b || !std::isfinite(a) || !std::isfinite(b)) {
    return std::numeric_limits<double>::infinity();
  }
  const auto ordered = [](double v) {
    const auto bits = std::bit_cast<std::int64_t>(v);
    return static_cast<double>(bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits);
  };
  return std::abs(ordered(a) - ordered(b));
}

inline const std::vector<double>& edge_values() {
  static const std::vector<double> kAll = [] {
    std::vector<double> all = {0.0,
                               std::numeric_limits<double>::denorm_min(),
                               1e-310,
                               std::numeric_limits<double>::min(),
                               1e-300,
                               1e-20,
                               0.25,
                               0.5,
                               0.75,
                               std::nextafter(1.0, 0.0),
                               1.0,
                               1 + 4.4e-16,
                               2.0,
                               8.0,
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
                               16384.0,
                               1e10,
                               1e22,
                               1e154,
                               1e300,
                               std::numeric_limits<double>::max(),
                               std::numeric_limits<double>::infinity()};
    const std::size_t positive = all.size();
    for (std::size_t i = 0; i < positive; ++i) {
      all.push_back(-all[i]);
    }
    all.push_back(std::numeric_limits<double>::quiet_NaN());
    return all;
  }();
  return kAll;
}

}  // namespace weir::model
