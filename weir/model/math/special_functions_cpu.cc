// The special functions, at the width of each target.
#include <cmath>

#include "weir/model/math/function_table_internal.h"
#include "weir/model/math/special_tables_internal.h"

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/model/math/special_functions_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::model::HWY_NAMESPACE {
namespace {

// clang-format off: each builds on those before it
#include "weir/model/math/elementary_vectors.inc"
#include "weir/model/math/error_functions.inc"
#include "weir/model/math/gamma_functions.inc"
#include "weir/model/math/bessel_functions.inc"
#include "weir/model/math/faddeeva.inc"
// clang-format on

HWY_INLINE Vector faddeeva_re(Vector x, Vector y) {
  return faddeeva(x, y).re;
}
HWY_INLINE Vector faddeeva_im(Vector x, Vector y) {
  return faddeeva(x, y).im;
}

std::int64_t lanes() {
  return static_cast<std::int64_t>(hn::Lanes(Tag()));
}

template <Vector (*kOf)(Vector)>
void unary(const double* a, double* y, std::int64_t count) {
  const Tag d;
  for (std::int64_t i = 0; i < count; i += lanes()) {
    hn::Store(kOf(hn::Load(d, a + i)), d, y + i);
  }
}

template <Vector (*kOf)(Vector, Vector)>
void binary(const double* a, const double* b, double* y, std::int64_t count) {
  const Tag d;
  for (std::int64_t i = 0; i < count; i += lanes()) {
    hn::Store(kOf(hn::Load(d, a + i), hn::Load(d, b + i)), d, y + i);
  }
}

void faddeeva_pairs(const double* x, const double* y, double* re, double* im, std::int64_t count) {
  const Tag d;
  for (std::int64_t i = 0; i < count; i += lanes()) {
    const auto w = faddeeva(hn::Load(d, x + i), hn::Load(d, y + i));
    hn::Store(w.re, d, re + i);
    hn::Store(w.im, d, im + i);
  }
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
using Register = decltype(Vector::raw);

template <Vector (*kOf)(Vector)>
Register in_register(Register x) {
  return kOf(Vector{x}).raw;
}

template <Vector (*kOf)(Vector, Vector)>
Register in_registers(Register x, Register y) {
  return kOf(Vector{x}, Vector{y}).raw;
}
#endif

template <Vector (*kOf)(Vector)>
void put(FunctionTable& table, Function function) {
  const auto i = static_cast<std::size_t>(function);
  table.unary[i] = &unary<kOf>;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  table.entry[i] = reinterpret_cast<void*>(&in_register<kOf>);
#endif
}

template <Vector (*kOf)(Vector, Vector)>
void put(FunctionTable& table, Function function) {
  const auto i = static_cast<std::size_t>(function);
  table.binary[i] = &binary<kOf>;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  table.entry[i] = reinterpret_cast<void*>(&in_registers<kOf>);
#endif
}

}  // namespace

void fill(FunctionTable& table) {
  put<erfcx>(table, Function::erfcx);
  put<lgamma>(table, Function::lgamma);
  put<digamma>(table, Function::digamma);
  put<trigamma>(table, Function::trigamma);
  put<dawson>(table, Function::dawson);
  put<bessel_i0e>(table, Function::bessel_i0e);
  put<bessel_i1e>(table, Function::bessel_i1e);
  put<faddeeva_re>(table, Function::faddeeva_re);
  put<faddeeva_im>(table, Function::faddeeva_im);
  table.faddeeva = &faddeeva_pairs;
}

}  // namespace weir::model::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::model {

void fill_special(MathTarget target, FunctionTable& table) {
#if HWY_ARCH_X86_64
  if (target == MathTarget::avx512) {
    N_AVX3::fill(table);
    return;
  }
  if (target == MathTarget::avx2) {
    N_AVX2::fill(table);
    return;
  }
#endif
  HWY_STATIC_DISPATCH(fill)(table);
}

}  // namespace weir::model
#endif
