#include "weir/model/compile/complex_values_internal.h"

namespace weir::model {

ComplexValue ComplexArithmetic::make(Value re, Value im) const {
  return {re, im == kNoValue || graph_.is_constant(im, 0.0) ? kNoValue : im};
}

ComplexValue ComplexArithmetic::add(ComplexValue a, ComplexValue b) const {
  const Value im = a.is_real() ? b.im : b.is_real() ? a.im : graph_.add(a.im, b.im);
  return {graph_.add(a.re, b.re), im};
}

ComplexValue ComplexArithmetic::subtract(ComplexValue a, ComplexValue b) const {
  return add(a, negate(b));
}

ComplexValue ComplexArithmetic::multiply(ComplexValue a, ComplexValue b) const {
  if (a.is_real() && b.is_real()) {
    return {graph_.multiply(a.re, b.re), kNoValue};
  }
  if (a.is_real() || b.is_real()) {
    const Value factor = a.is_real() ? a.re : b.re;
    const ComplexValue other = a.is_real() ? b : a;
    return {graph_.multiply(factor, other.re), graph_.multiply(factor, other.im)};
  }
  return {graph_.subtract(graph_.multiply(a.re, b.re), graph_.multiply(a.im, b.im)),
          graph_.add(graph_.multiply(a.re, b.im), graph_.multiply(a.im, b.re))};
}

ComplexValue ComplexArithmetic::divide(ComplexValue a, ComplexValue b) const {
  if (b.is_real()) {
    return {graph_.divide(a.re, b.re), a.is_real() ? kNoValue : graph_.divide(a.im, b.re)};
  }
  const ComplexValue product = multiply(a, conjugate(b));
  const Value norm = norm_squared(b);
  return {graph_.divide(product.re, norm), graph_.divide(product.im, norm)};
}

ComplexValue ComplexArithmetic::negate(ComplexValue a) const {
  return {graph_.negate(a.re), a.is_real() ? kNoValue : graph_.negate(a.im)};
}

ComplexValue ComplexArithmetic::conjugate(ComplexValue a) const {
  return {a.re, a.is_real() ? kNoValue : graph_.negate(a.im)};
}

ComplexValue ComplexArithmetic::power(ComplexValue x, int n) const {
  if (x.is_real()) {
    return {graph_.power(x.re, n), kNoValue};
  }
  if (n < 0) {
    return divide({graph_.constant(1.0), kNoValue}, power(x, -n));
  }
  ComplexValue result{graph_.constant(1.0), kNoValue};
  ComplexValue square = x;
  for (int left = n; left > 0; left /= 2) {
    if (left % 2 == 1) {
      result = multiply(result, square);
    }
    if (left > 1) {
      square = multiply(square, square);
    }
  }
  return result;
}

ComplexValue ComplexArithmetic::select(Value condition, ComplexValue a, ComplexValue b) const {
  const Value re = graph_.select(condition, a.re, b.re);
  if (a.is_real() && b.is_real()) {
    return {re, kNoValue};
  }
  return {re, graph_.select(condition, imaginary(a), imaginary(b))};
}

Value ComplexArithmetic::norm_squared(ComplexValue a) const {
  const Value re = graph_.multiply(a.re, a.re);
  return a.is_real() ? re : graph_.add(re, graph_.multiply(a.im, a.im));
}

ComplexValue ComplexArithmetic::exp(ComplexValue z) const {
  const Value size = graph_.apply(Function::exp, z.re);
  if (z.is_real()) {
    return {size, kNoValue};
  }
  return {graph_.multiply(size, graph_.apply(Function::cos, z.im)),
          graph_.multiply(size, graph_.apply(Function::sin, z.im))};
}

ComplexValue ComplexArithmetic::sin(ComplexValue z) const {
  const Value sine = graph_.apply(Function::sin, z.re);
  if (z.is_real()) {
    return {sine, kNoValue};
  }
  return {graph_.multiply(sine, graph_.apply(Function::cosh, z.im)),
          graph_.multiply(graph_.apply(Function::cos, z.re), graph_.apply(Function::sinh, z.im))};
}

ComplexValue ComplexArithmetic::cos(ComplexValue z) const {
  const Value cosine = graph_.apply(Function::cos, z.re);
  if (z.is_real()) {
    return {cosine, kNoValue};
  }
  const Value product =
      graph_.multiply(graph_.apply(Function::sin, z.re), graph_.apply(Function::sinh, z.im));
  return {graph_.multiply(cosine, graph_.apply(Function::cosh, z.im)), graph_.negate(product)};
}

ComplexValue ComplexArithmetic::sinh(ComplexValue z) const {
  const Value part = graph_.apply(Function::sinh, z.re);
  if (z.is_real()) {
    return {part, kNoValue};
  }
  return {graph_.multiply(part, graph_.apply(Function::cos, z.im)),
          graph_.multiply(graph_.apply(Function::cosh, z.re), graph_.apply(Function::sin, z.im))};
}

ComplexValue ComplexArithmetic::cosh(ComplexValue z) const {
  const Value part = graph_.apply(Function::cosh, z.re);
  if (z.is_real()) {
    return {part, kNoValue};
  }
  return {graph_.multiply(part, graph_.apply(Function::cos, z.im)),
          graph_.multiply(graph_.apply(Function::sinh, z.re), graph_.apply(Function::sin, z.im))};
}

ComplexArithmetic::Scaled ComplexArithmetic::scaled(ComplexValue z) const {
  const Value re = graph_.absolute(z.re);
  const Value im = graph_.absolute(z.im);
  const Value large = graph_.maximum(re, im);
  const Value zero = graph_.constant(0.0);
  const Value ratio = graph_.divide(graph_.minimum(re, im), large);
  return {large, graph_.select(graph_.equal(large, zero), zero, graph_.multiply(ratio, ratio))};
}

ComplexValue ComplexArithmetic::sqrt(ComplexValue z) const {
  const Value zero = graph_.constant(0.0);
  const Value negative = graph_.less(z.re, zero);
  if (z.is_real()) {
    return {graph_.select(negative, zero, graph_.sqrt(z.re)),
            graph_.select(negative, graph_.sqrt(graph_.negate(z.re)), zero)};
  }
  // t = sqrt((|z| + |re|) / 2) is the part that does not cancel; the other is im / 2t.
  const Scaled s = scaled(z);
  const Value modulus =
      graph_.multiply(s.large, graph_.sqrt(graph_.add(graph_.constant(1.0), s.ratio_squared)));
  const Value half_sum =
      graph_.multiply(graph_.add(modulus, graph_.absolute(z.re)), graph_.constant(0.5));
  const Value t = graph_.sqrt(half_sum);
  const Value at_zero = graph_.equal(half_sum, zero);
  const Value other =
      graph_.divide(graph_.absolute(z.im), graph_.multiply(t, graph_.constant(2.0)));
  const Value re = graph_.select(at_zero, zero, graph_.select(negative, other, t));
  const Value im = graph_.select(at_zero, zero, graph_.select(negative, t, other));
  return {re, graph_.copy_sign(im, z.im)};
}

ComplexValue ComplexArithmetic::log(ComplexValue z) const {
  const Value zero = graph_.constant(0.0);
  if (z.is_real()) {
    const Value negative = graph_.less(z.re, zero);
    return {graph_.apply(Function::log, graph_.absolute(z.re)),
            graph_.select(negative, graph_.constant(3.14159265358979323846), zero)};
  }
  const Scaled s = scaled(z);
  const Value rest =
      graph_.multiply(graph_.apply(Function::log1p, s.ratio_squared), graph_.constant(0.5));
  return {graph_.add(graph_.apply(Function::log, s.large), rest),
          graph_.apply(Function::atan2, z.im, z.re)};
}

ComplexValue ComplexArithmetic::faddeeva(ComplexValue z) const {
  const Value im = imaginary(z);
  return {graph_.apply(Function::faddeeva_re, z.re, im),
          graph_.apply(Function::faddeeva_im, z.re, im)};
}

// Rows are exchanged by selection: the same operations whatever the numbers are, which is what
// vectors of events need.
void ComplexArithmetic::bring_up_pivot(std::vector<ComplexValue>& rows, std::size_t width,
                                       std::size_t k) const {
  const std::size_t height = rows.size() / width;
  for (std::size_t i = k + 1; i < height; ++i) {
    const Value larger =
        graph_.less(norm_squared(rows[k * width + k]), norm_squared(rows[i * width + k]));
    for (std::size_t j = k; j < width; ++j) {
      const ComplexValue upper = rows[k * width + j];
      const ComplexValue lower = rows[i * width + j];
      rows[k * width + j] = select(larger, lower, upper);
      rows[i * width + j] = select(larger, upper, lower);
    }
  }
}

std::vector<ComplexValue> ComplexArithmetic::solve(std::vector<ComplexValue> matrix,
                                                   std::vector<ComplexValue> right) const {
  const std::size_t n = right.size();
  const std::size_t width = n + 1;
  std::vector<ComplexValue> rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.insert(rows.end(), matrix.begin() + static_cast<std::ptrdiff_t>(i * n),
                matrix.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
    rows.push_back(right[i]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    bring_up_pivot(rows, width, k);
    for (std::size_t i = k + 1; i < n; ++i) {
      const ComplexValue factor = divide(rows[i * width + k], rows[k * width + k]);
      for (std::size_t j = k + 1; j < width; ++j) {
        rows[i * width + j] = subtract(rows[i * width + j], multiply(factor, rows[k * width + j]));
      }
    }
  }
  std::vector<ComplexValue> x(n);
  for (std::size_t i = n; i-- > 0;) {
    ComplexValue sum = rows[i * width + n];
    for (std::size_t j = i + 1; j < n; ++j) {
      sum = subtract(sum, multiply(rows[i * width + j], x[j]));
    }
    x[i] = divide(sum, rows[i * width + i]);
  }
  return x;
}

}  // namespace weir::model
