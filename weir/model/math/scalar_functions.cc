#include <cmath>

#include "weir/model/math/function_table_internal.h"

namespace weir::model {
namespace {

constexpr double kMost = 1 + 4 * 2.220446049250313e-16;

double clamped(double x) {
  return std::abs(x) > 1 && std::abs(x) <= kMost ? std::copysign(1.0, x) : x;
}

double clamped_asin(double x) {
  return std::asin(clamped(x));
}
double clamped_acos(double x) {
  return std::acos(clamped(x));
}

template <double (*kLibm)(double)>
void one_by_one(const double* a, double* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = kLibm(a[i]);
  }
}

template <double (*kLibm)(double, double)>
void two_by_two(const double* a, const double* b, double* y, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = kLibm(a[i], b[i]);
  }
}

template <double (*kLibm)(double)>
void set(FunctionTable& table, Function function) {
  table.unary[static_cast<std::size_t>(function)] = &one_by_one<kLibm>;
  table.entry[static_cast<std::size_t>(function)] = reinterpret_cast<void*>(kLibm);
}

template <double (*kLibm)(double, double)>
void set(FunctionTable& table, Function function) {
  table.binary[static_cast<std::size_t>(function)] = &two_by_two<kLibm>;
  table.entry[static_cast<std::size_t>(function)] = reinterpret_cast<void*>(kLibm);
}

}  // namespace

void fill_from_libm(FunctionTable& table) {
  set<std::exp>(table, Function::exp);
  set<std::expm1>(table, Function::expm1);
  set<std::log>(table, Function::log);
  set<std::log1p>(table, Function::log1p);
  set<std::cbrt>(table, Function::cbrt);
  set<std::sin>(table, Function::sin);
  set<std::cos>(table, Function::cos);
  set<std::tan>(table, Function::tan);
  set<clamped_asin>(table, Function::asin);
  set<clamped_acos>(table, Function::acos);
  set<std::atan>(table, Function::atan);
  set<std::sinh>(table, Function::sinh);
  set<std::cosh>(table, Function::cosh);
  set<std::tanh>(table, Function::tanh);
  set<std::erf>(table, Function::erf);
  set<std::erfc>(table, Function::erfc);
  set<std::pow>(table, Function::pow);
  set<std::atan2>(table, Function::atan2);
}

}  // namespace weir::model
