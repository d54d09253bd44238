#pragma once

#include <vector>

#include "weir/model/expr/expr.h"

/// Builders of expressions. Each checks kinds and throws invalid_spec naming the operation and the
/// kinds it met. Scalars mix: where one operand is complex the other is taken as complex. Nothing
/// real turns complex by itself.
namespace weir::model {

// Leaves.
Expr constant(double value);
Expr constant(double real, double imaginary);  ///< Complex.
Expr parameter(const Parameter& definition);   ///< Real. Throws what check(Parameter) throws.
Expr column(std::string name);                 ///< Real: one value a row.
Expr momentum(std::string particle, MomentumComponent component);

// Arithmetic: real or complex scalars; + and - also of vectors and matrices of one shape, * and /
// by a scalar.
Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
Expr power(const Expr& base, int exponent);  ///< Real or complex, by multiplication.
Expr power(const Expr& base, double exponent);
Expr power(
    const Expr& base,
    const Expr& exponent);  ///< Reals; NaN where the base is negative and the exponent no integer.

// Functions of reals. Outside its domain a function is NaN, which a reduction reports with its row.
Expr exp(const Expr& x);  ///< Also complex.
Expr expm1(const Expr& x);
Expr log(const Expr& x);  ///< x > 0; the complex logarithm is clog.
Expr log1p(const Expr& x);
Expr sqrt(const Expr& x);  ///< x >= 0; the complex root is csqrt.
Expr cbrt(const Expr& x);
Expr sin(const Expr& x);  ///< Also complex, as cos, sinh and cosh.
Expr cos(const Expr& x);
Expr tan(const Expr& x);
Expr asin(const Expr& x);  ///< |x| <= 1 + 4 eps, clamped to 1; the derivative is 0 there.
Expr acos(const Expr& x);
Expr atan(const Expr& x);
Expr atan2(const Expr& y, const Expr& x);
Expr sinh(const Expr& x);
Expr cosh(const Expr& x);
Expr tanh(const Expr& x);
Expr erf(const Expr& x);
Expr erfc(const Expr& x);
Expr erfcx(const Expr& x);   ///< exp(x^2) erfc(x).
Expr lgamma(const Expr& x);  ///< ln |Gamma(x)|.
Expr digamma(const Expr& x);
Expr dawson(const Expr& x);
Expr bessel_i0e(const Expr& x);  ///< exp(-|x|) I0(x).
Expr bessel_i1e(const Expr& x);
Expr abs(const Expr& x);  ///< Real; the modulus of a complex value is sqrt(norm_sqr(z)).
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);

// Truth values. No operator==: expressions are compared as values nowhere.
Expr less(const Expr& a, const Expr& b);
Expr less_equal(const Expr& a, const Expr& b);
Expr equal(const Expr& a, const Expr& b);
Expr logical_not(const Expr& a);
Expr logical_and(const Expr& a, const Expr& b);
Expr logical_or(const Expr& a, const Expr& b);
/// a where the condition holds, else b. The other branch counts for nothing: not its value, its
/// domain, nor its derivative.
Expr select(const Expr& condition, const Expr& a, const Expr& b);

// Complex scalars.
Expr complex(const Expr& re, const Expr& im);
Expr real_part(const Expr& z);
Expr imaginary_part(const Expr& z);
Expr conjugate(const Expr& z);
Expr norm_sqr(const Expr& z);  ///< |z|^2, real.
Expr cis(const Expr& phase);   ///< cos + i sin of a real phase.
Expr csqrt(const Expr& z);     ///< Principal branch, Re >= 0; of a real or complex scalar.
Expr clog(const Expr& z);      ///< Principal branch, -pi < Im <= pi.
Expr faddeeva(const Expr& z);  ///< w(z) = exp(-z^2) erfc(-iz).

// Vectors and matrices. Elements are scalars; one complex element makes all complex.
Expr vector(std::vector<Expr> elements);
Expr matrix(int rows, int columns, std::vector<Expr> elements);  ///< Row by row.
Expr element(const Expr& vector, int index);
Expr element(const Expr& matrix, int row, int column);
Expr matmul(const Expr& a, const Expr& b);  ///< matrix x matrix, matrix x vector.
Expr dot(const Expr& a, const Expr& b);     ///< Of vectors, without conjugation.
Expr transpose(const Expr& matrix);
Expr solve(const Expr& matrix,
           const Expr& right);  ///< x with matrix x = right; NaN where the matrix is singular.

/// A call of a function of the registry (model_function.h). Throws invalid_spec where the count of
/// arguments differs.
Expr call(const ModelFunction& function, std::vector<Expr> arguments);

/// Any operation by its parts, with the checks of the builders above: what readers of texts and
/// JSON use.
Expr make(Op op, std::vector<Expr> operands, int index = 0, int column = 0);

}  // namespace weir::model
