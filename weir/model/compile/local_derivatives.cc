#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "weir/core/error.h"
#include "weir/model/compile/local_derivatives_internal.h"

namespace weir::model {
namespace {

const double kTwoOverRootPi = 2.0 / std::sqrt(std::numbers::pi);

/// Builds derivatives of y = f(a, b) in terms of values that mostly exist already.
struct Derivation {
  ScalarGraph& graph;
  Value a;
  Value b;
  Value y;

  Value number(double value) { return graph.constant(value); }
  Value one_over(Value x) { return graph.divide(number(1.0), x); }
  Value square(Value x) { return graph.multiply(x, x); }
  Value twice(Value x) { return graph.multiply(x, number(2.0)); }
  Value sign(Value x) {
    return graph.select(graph.less(x, number(0.0)), number(-1.0), number(1.0));
  }
  Value gaussian(double scale) {
    return graph.multiply(graph.apply(Function::exp, graph.negate(square(a))), number(scale));
  }
  /// 1/sqrt(1 - x^2) where the arc functions are not clamped, 0 where they are.
  Value arc() {
    const Value inside = graph.multiply(graph.subtract(number(1.0), a), graph.add(number(1.0), a));
    const Value clamped = graph.less_equal(inside, number(0.0));
    return graph.select(clamped, number(0.0), one_over(graph.sqrt(inside)));
  }
  Value i1e_slope() {
    const Value ratio = graph.divide(y, a);
    const Value slope = graph.subtract(graph.subtract(graph.apply(Function::bessel_i0e, a), ratio),
                                       graph.multiply(sign(a), y));
    return graph.select(graph.equal(a, number(0.0)), number(0.5), slope);
  }
};

[[noreturn]] void no_derivative(Function function) {
  throw Error(ErrorCode::unsupported,
              fmt::format("the derivative of {} is not available (a third derivative of lgamma?)",
                          name(function)));
}

Value trigonometric_derivative(Derivation d, Function function) {
  ScalarGraph& g = d.graph;
  switch (function) {
    case Function::sin:
      return g.apply(Function::cos, d.a);
    case Function::cos:
      return g.negate(g.apply(Function::sin, d.a));
    case Function::tan:
      return g.add(d.number(1.0), d.square(d.y));
    case Function::asin:
      return d.arc();
    case Function::acos:
      return g.negate(d.arc());
    case Function::atan:
      return d.one_over(g.add(d.number(1.0), d.square(d.a)));
    case Function::sinh:
      return g.apply(Function::cosh, d.a);
    case Function::cosh:
      return g.apply(Function::sinh, d.a);
    case Function::tanh:
      return g.subtract(d.number(1.0), d.square(d.y));
    default:
      no_derivative(function);
  }
}

Value unary_derivative(Derivation d, Function function) {
  ScalarGraph& g = d.graph;
  switch (function) {
    case Function::exp:
      return d.y;
    case Function::expm1:
      return g.add(d.y, d.number(1.0));
    case Function::log:
      return d.one_over(d.a);
    case Function::log1p:
      return d.one_over(g.add(d.number(1.0), d.a));
    case Function::cbrt:
      return d.one_over(g.multiply(d.square(d.y), d.number(3.0)));
    case Function::erf:
      return d.gaussian(kTwoOverRootPi);
    case Function::erfc:
      return d.gaussian(-kTwoOverRootPi);
    case Function::erfcx:
      return g.subtract(d.twice(g.multiply(d.a, d.y)), d.number(kTwoOverRootPi));
    case Function::lgamma:
      return g.apply(Function::digamma, d.a);
    case Function::digamma:
      return g.apply(Function::trigamma, d.a);
    case Function::dawson:
      return g.subtract(d.number(1.0), d.twice(g.multiply(d.a, d.y)));
    case Function::bessel_i0e:
      return g.subtract(g.apply(Function::bessel_i1e, d.a), g.multiply(d.sign(d.a), d.y));
    case Function::bessel_i1e:
      return d.i1e_slope();
    default:
      return trigonometric_derivative(d, function);
  }
}

/// w'(z) = -2 z w + 2i/sqrt(pi) (Abramowitz and Stegun 7.1.20); w is analytic, so its derivative by
/// y is i w'.
std::array<Value, 3> faddeeva_derivatives(Derivation d, bool imaginary) {
  ScalarGraph& g = d.graph;
  const Value u = g.apply(Function::faddeeva_re, d.a, d.b);
  const Value v = g.apply(Function::faddeeva_im, d.a, d.b);
  const Value real = d.twice(g.subtract(g.multiply(d.b, v), g.multiply(d.a, u)));
  const Value imag =
      g.subtract(d.number(kTwoOverRootPi), d.twice(g.add(g.multiply(d.a, v), g.multiply(d.b, u))));
  return imaginary ? std::array<Value, 3>{imag, real, kNoValue}
                   : std::array<Value, 3>{real, g.negate(imag), kNoValue};
}

std::array<Value, 3> binary_derivatives(Derivation d, Function function) {
  ScalarGraph& g = d.graph;
  switch (function) {
    case Function::pow: {
      const Value by_base =
          g.multiply(d.b, g.apply(Function::pow, d.a, g.subtract(d.b, d.number(1.0))));
      // x^p stays 0 at x = 0 for every p near one above 0: no slope there, though the logarithm has
      // none.
      const Value at_zero = g.equal(d.a, d.number(0.0));
      const Value by_exponent =
          g.select(at_zero, d.number(0.0), g.multiply(d.y, g.apply(Function::log, d.a)));
      return {by_base, by_exponent, kNoValue};
    }
    case Function::atan2: {
      const Value square = g.add(d.square(d.a), d.square(d.b));
      return {g.divide(d.b, square), g.negate(g.divide(d.a, square)), kNoValue};
    }
    case Function::faddeeva_re:
      return faddeeva_derivatives(d, false);
    case Function::faddeeva_im:
      return faddeeva_derivatives(d, true);
    default:
      no_derivative(function);
  }
}

std::array<Value, 3> of_smaller_or_larger(Derivation d, Value first_wins) {
  ScalarGraph& g = d.graph;
  return {g.select(first_wins, d.number(1.0), d.number(0.0)),
          g.select(first_wins, d.number(0.0), d.number(1.0)), kNoValue};
}

}  // namespace

std::array<Value, 3> local_derivatives(ScalarGraph& graph, Value value) {
  const Scalar scalar = graph[value];
  Derivation d{graph, scalar.operands[0], scalar.operands[1], value};
  const auto number = [&](double x) { return graph.constant(x); };
  switch (scalar.code) {
    case Code::add:
      return {number(1.0), number(1.0), kNoValue};
    case Code::subtract:
      return {number(1.0), number(-1.0), kNoValue};
    case Code::multiply:
      return {d.b, d.a, kNoValue};
    case Code::divide: {
      const Value by_a = d.one_over(d.b);
      return {by_a, graph.negate(graph.multiply(value, by_a)), kNoValue};
    }
    case Code::negate:
      return {number(-1.0), kNoValue, kNoValue};
    case Code::guarded_multiply: {
      // b counts also where a is 0 (its own derivative need not be), unless b is infinite or NaN.
      const Value zero = number(0.0);
      const Value left_out = graph.equal(d.a, zero);
      const Value finite =
          graph.less_equal(graph.absolute(d.b), number(std::numeric_limits<double>::max()));
      return {graph.select(left_out, graph.select(finite, d.b, zero), d.b), d.a, kNoValue};
    }
    case Code::sqrt:
      return {graph.divide(number(0.5), value), kNoValue, kNoValue};
    case Code::absolute:
      return {d.sign(d.a), kNoValue, kNoValue};
    case Code::copy_sign: {
      const Value one = number(1.0);
      return {graph.multiply(graph.copy_sign(one, d.a), graph.copy_sign(one, d.b)), kNoValue,
              kNoValue};
    }
    case Code::minimum:
      return of_smaller_or_larger(d, graph.less(d.a, d.b));
    case Code::maximum:
      return of_smaller_or_larger(d, graph.less(d.b, d.a));
    case Code::unary:
      return {unary_derivative(d, scalar.function), kNoValue, kNoValue};
    case Code::binary:
      return binary_derivatives(d, scalar.function);
    default:
      return {kNoValue, kNoValue, kNoValue};
  }
}

}  // namespace weir::model
