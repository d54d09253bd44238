#include "weir/model/expr/operations.h"

// The scalar operations by their names; what each demands stands in make().
namespace weir::model {

Expr operator+(const Expr& a, const Expr& b) {
  return make(Op::add, {a, b});
}
Expr operator-(const Expr& a, const Expr& b) {
  return make(Op::subtract, {a, b});
}
Expr operator*(const Expr& a, const Expr& b) {
  return make(Op::multiply, {a, b});
}
Expr operator/(const Expr& a, const Expr& b) {
  return make(Op::divide, {a, b});
}
Expr operator-(const Expr& a) {
  return make(Op::negate, {a});
}
Expr power(const Expr& base, int exponent) {
  return make(Op::power_integer, {base}, exponent);
}
Expr power(const Expr& base, double exponent) {
  return power(base, constant(exponent));
}
Expr power(const Expr& base, const Expr& exponent) {
  return make(Op::power, {base, exponent});
}
Expr exp(const Expr& x) {
  return make(Op::exp, {x});
}
Expr expm1(const Expr& x) {
  return make(Op::expm1, {x});
}
Expr log(const Expr& x) {
  return make(Op::log, {x});
}
Expr log1p(const Expr& x) {
  return make(Op::log1p, {x});
}
Expr sqrt(const Expr& x) {
  return make(Op::sqrt, {x});
}
Expr cbrt(const Expr& x) {
  return make(Op::cbrt, {x});
}
Expr sin(const Expr& x) {
  return make(Op::sin, {x});
}
Expr cos(const Expr& x) {
  return make(Op::cos, {x});
}
Expr tan(const Expr& x) {
  return make(Op::tan, {x});
}
Expr asin(const Expr& x) {
  return make(Op::asin, {x});
}
Expr acos(const Expr& x) {
  return make(Op::acos, {x});
}
Expr atan(const Expr& x) {
  return make(Op::atan, {x});
}
Expr atan2(const Expr& y, const Expr& x) {
  return make(Op::atan2, {y, x});
}
Expr sinh(const Expr& x) {
  return make(Op::sinh, {x});
}
Expr cosh(const Expr& x) {
  return make(Op::cosh, {x});
}
Expr tanh(const Expr& x) {
  return make(Op::tanh, {x});
}
Expr erf(const Expr& x) {
  return make(Op::erf, {x});
}
Expr erfc(const Expr& x) {
  return make(Op::erfc, {x});
}
Expr erfcx(const Expr& x) {
  return make(Op::erfcx, {x});
}
Expr lgamma(const Expr& x) {
  return make(Op::lgamma, {x});
}
Expr digamma(const Expr& x) {
  return make(Op::digamma, {x});
}
Expr dawson(const Expr& x) {
  return make(Op::dawson, {x});
}
Expr bessel_i0e(const Expr& x) {
  return make(Op::bessel_i0e, {x});
}
Expr bessel_i1e(const Expr& x) {
  return make(Op::bessel_i1e, {x});
}
Expr abs(const Expr& x) {
  return make(Op::absolute, {x});
}
Expr min(const Expr& a, const Expr& b) {
  return make(Op::minimum, {a, b});
}
Expr max(const Expr& a, const Expr& b) {
  return make(Op::maximum, {a, b});
}
Expr less(const Expr& a, const Expr& b) {
  return make(Op::less, {a, b});
}
Expr less_equal(const Expr& a, const Expr& b) {
  return make(Op::less_equal, {a, b});
}
Expr equal(const Expr& a, const Expr& b) {
  return make(Op::equal, {a, b});
}
Expr logical_not(const Expr& a) {
  return make(Op::logical_not, {a});
}
Expr logical_and(const Expr& a, const Expr& b) {
  return make(Op::logical_and, {a, b});
}
Expr logical_or(const Expr& a, const Expr& b) {
  return make(Op::logical_or, {a, b});
}
Expr select(const Expr& condition, const Expr& a, const Expr& b) {
  return make(Op::select, {condition, a, b});
}
Expr complex(const Expr& re, const Expr& im) {
  return make(Op::complex, {re, im});
}
Expr real_part(const Expr& z) {
  return make(Op::real_part, {z});
}
Expr imaginary_part(const Expr& z) {
  return make(Op::imaginary_part, {z});
}
Expr conjugate(const Expr& z) {
  return make(Op::conjugate, {z});
}
Expr norm_sqr(const Expr& z) {
  return make(Op::norm_squared, {z});
}
Expr cis(const Expr& phase) {
  return complex(cos(phase), sin(phase));
}
Expr csqrt(const Expr& z) {
  return make(Op::csqrt, {z});
}
Expr clog(const Expr& z) {
  return make(Op::clog, {z});
}
Expr faddeeva(const Expr& z) {
  return make(Op::faddeeva, {z});
}

}  // namespace weir::model
