#pragma once

#include <cstdint>
#include <string_view>

namespace weir::model {

/// Arrays handed over hold a whole multiple of this many values and are aligned to 64 bytes.
inline constexpr std::int64_t kMathLanes = 8;

/// Functions of reals that are computed several values at a time. Largest errors met in sweeps
/// against mpmath (README), in units of the last place: libmvec's 3.0, libm's 2.7, ours 1.9
/// (erfcx), 2.1 (dawson), 1.8 (Bessel), 2.5 (lgamma, x > 0), 4.2 (trigamma), 6.2 and 42 (Faddeeva,
/// real and imaginary part above the axis). As a part of max(1, |value|): 9e-16 (lgamma, x <
/// 0), 1.2e-15 (digamma). Below the axis 2.2e-15 |w|.
enum class Function : std::uint8_t {
  exp,
  expm1,
  log,
  log1p,
  cbrt,
  sin,
  cos,
  tan,
  asin,  ///< |x| <= 1 + 4 eps, taken as 1 beyond 1; NaN above that. As acos.
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  erf,
  erfc,
  erfcx,       ///< exp(x^2) erfc(x).
  lgamma,      ///< ln |Gamma(x)|; infinite at 0, -1, -2, ...
  digamma,     ///< d ln Gamma / dx; NaN at -1, -2, ..., infinite at 0.
  trigamma,    ///< The derivative of digamma; infinite at 0, -1, -2, ...
  dawson,      ///< exp(-x^2) times the integral of exp(t^2) from 0 to x.
  bessel_i0e,  ///< exp(-|x|) I0(x).
  bessel_i1e,  ///< exp(-|x|) I1(x).
  // two arguments
  pow,
  atan2,        ///< atan2(a, b): the angle of (b, a).
  faddeeva_re,  ///< Re w(a + ib), w(z) = exp(-z^2) erfc(-iz), everywhere in the plane.
  faddeeva_im,
};
inline constexpr int kFunctionCount = static_cast<int>(Function::faddeeva_im) + 1;

int arity(Function function);
std::string_view name(Function function);

using UnaryBatch = void (*)(const double* a, double* y, std::int64_t count);
using BinaryBatch = void (*)(const double* a, const double* b, double* y, std::int64_t count);

/// y[i] = f(a[i]) for `count` values, a multiple of kMathLanes; y may be a. A value has the same
/// bits in every lane and at every place. One source and one width serve the whole process:
/// AVX-512 where the machine has it, else AVX2, with elementary functions from glibc's libmvec;
/// elsewhere elementary functions are libm's, one value at a time. The environment variable
/// WEIR_VECTOR_MATH (avx512, avx2, portable) asks for one of them. Values of different machines
/// may differ in the last places. Null where the function takes two arguments.
/// Errors: `invalid_spec` where the variable names none of the three, `unsupported` where the
/// machine lacks the one it names; both on the first call.
UnaryBatch unary_batch(Function function);

/// The same for y[i] = f(a[i], b[i]); y may be a or b. Null where it takes one argument.
BinaryBatch binary_batch(Function function);

/// Both parts of w(x[i] + i y[i]) for the price of one; the same bits as faddeeva_re and
/// faddeeva_im. The outputs may be the inputs.
using FaddeevaBatch = void (*)(const double* x, const double* y, double* re, double* im,
                               std::int64_t count);
FaddeevaBatch faddeeva_batch();

/// Looks the function up and calls it; b counts for functions of two arguments only.
void apply(Function function, const double* a, const double* b, double* y, std::int64_t count);

/// The function that takes and returns vector registers of vector_width() doubles (the vector
/// function ABI of x86-64, _ZGVeN8v_exp and its like), for code generators: the one that the batch
/// forms call. Null where there is only the batch form.
void* vector_entry(Function function);
int vector_width();

/// What was chosen: "libmvec AVX-512", "libmvec AVX2", "libm".
std::string_view vector_source();

}  // namespace weir::model
