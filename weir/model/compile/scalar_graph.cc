#include "weir/model/compile/scalar_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "weir/core/error.h"

namespace weir::model {
namespace {

double evaluate_function(Function function, double a, double b) {
  alignas(64) std::array<double, kMathLanes> x;
  alignas(64) std::array<double, kMathLanes> y;
  x.fill(a);
  y.fill(b);
  apply(function, x.data(), arity(function) == 2 ? y.data() : nullptr, x.data(), kMathLanes);
  return x[0];
}

}  // namespace

int Scalar::operand_count() const {
  switch (code) {
    case Code::constant:
    case Code::parameter:
    case Code::column:
      return 0;
    case Code::negate:
    case Code::sqrt:
    case Code::absolute:
    case Code::copy:
    case Code::unary:
      return 1;
    case Code::multiply_add:
    case Code::multiply_subtract:
    case Code::negated_multiply_add:
    case Code::select:
      return 3;
    default:
      return 2;
  }
}

double evaluate(Code code, Function function, double a, double b, double c) {
  switch (code) {
    case Code::add:
      return a + b;
    case Code::subtract:
      return a - b;
    case Code::multiply:
      return a * b;
    case Code::divide:
      return a / b;
    case Code::negate:
      return -a;
    case Code::multiply_add:
      return std::fma(a, b, c);
    case Code::multiply_subtract:
      return std::fma(a, b, -c);
    case Code::negated_multiply_add:
      return std::fma(-a, b, c);
    case Code::copy:
      return a;
    case Code::guarded_multiply:
      return a == 0 ? 0.0 : a * b;
    case Code::sqrt:
      return std::sqrt(a);
    case Code::absolute:
      return std::fabs(a);
    case Code::copy_sign:
      return std::copysign(a, b);
    case Code::minimum:
      return a < b || std::isnan(a) ? a : b;
    case Code::maximum:
      return a > b || std::isnan(a) ? a : b;
    case Code::less:
      return a < b ? 1.0 : 0.0;
    case Code::less_equal:
      return a <= b ? 1.0 : 0.0;
    case Code::equal:
      return a == b ? 1.0 : 0.0;
    case Code::select:
      return a != 0 ? b : c;
    case Code::unary:
    case Code::binary:
      return evaluate_function(function, a, b);
    case Code::constant:
    case Code::parameter:
    case Code::column:
      break;
  }
  throw Error(ErrorCode::internal, "evaluate: a leaf is no operation");
}

std::size_t ScalarGraph::Hash::operator()(const Scalar& s) const {
  std::uint64_t hash =
      static_cast<std::uint64_t>(s.code) * 64 + static_cast<std::uint64_t>(s.function);
  const auto mix = [&](std::uint64_t part) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  };
  for (const Value operand : s.operands) {
    mix(static_cast<std::uint32_t>(operand));
  }
  mix(std::bit_cast<std::uint64_t>(s.value));
  mix(static_cast<std::uint32_t>(s.index));
  return hash;
}

bool ScalarGraph::Same::operator()(const Scalar& a, const Scalar& b) const {
  // Bits, not values: 0 and -0 are two constants, and NaN is one.
  return a.code == b.code && a.function == b.function && a.operands == b.operands &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value) &&
         a.index == b.index;
}

Value ScalarGraph::intern(Scalar scalar) {
  for (int i = 0; i < scalar.operand_count(); ++i) {
    scalar.dependence |= (*this)[scalar.operands[static_cast<std::size_t>(i)]].dependence;
  }
  const auto [at, added] = places_.emplace(scalar, size());
  if (added) {
    scalars_.push_back(scalar);
  }
  return at->second;
}

Value ScalarGraph::operation(Code code, Value a, Value b, Value c, Function function) {
  Scalar scalar{.code = code, .function = function, .operands = {a, b, c}};
  bool constant_operands = true;
  std::array<double, 3> numbers{};
  for (int i = 0; i < scalar.operand_count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    constant_operands = constant_operands && is_constant(scalar.operands[at]);
    numbers[at] = (*this)[scalar.operands[at]].value;
  }
  if (constant_operands) {
    return constant(evaluate(code, function, numbers[0], numbers[1], numbers[2]));
  }
  return intern(scalar);
}

bool ScalarGraph::is_constant(Value value, double number) const {
  const Scalar& scalar = (*this)[value];
  return scalar.code == Code::constant &&
         std::bit_cast<std::uint64_t>(scalar.value) == std::bit_cast<std::uint64_t>(number);
}

Value ScalarGraph::constant(double value) {
  return intern({.code = Code::constant, .value = value});
}

Value ScalarGraph::parameter(std::int32_t index) {
  return intern({.code = Code::parameter, .index = index, .dependence = kOnParameters});
}

Value ScalarGraph::column(std::int32_t index) {
  return intern({.code = Code::column, .index = index, .dependence = kOnEvents});
}

Value ScalarGraph::add(Value a, Value b) {
  if (is_constant(a, -0.0)) {
    return b;
  }
  if (is_constant(b, -0.0)) {
    return a;
  }
  if ((*this)[b].code == Code::negate) {
    return subtract(a, (*this)[b].operands[0]);
  }
  if ((*this)[a].code == Code::negate) {
    return subtract(b, (*this)[a].operands[0]);
  }
  return operation(Code::add, std::min(a, b), std::max(a, b));
}

Value ScalarGraph::subtract(Value a, Value b) {
  if (is_constant(b, 0.0)) {
    return a;
  }
  if ((*this)[b].code == Code::negate) {
    return operation(Code::add, std::min(a, (*this)[b].operands[0]),
                     std::max(a, (*this)[b].operands[0]));
  }
  return operation(Code::subtract, a, b);
}

Value ScalarGraph::multiply(Value a, Value b) {
  if (is_constant(a)) {
    std::swap(a, b);
  }
  if (is_constant(b, 1.0)) {
    return a;
  }
  if (is_constant(b, -1.0)) {
    return negate(a);
  }
  // Signs move outwards, where sums take them up.
  if ((*this)[a].code == Code::negate) {
    return negate(multiply((*this)[a].operands[0], b));
  }
  if ((*this)[b].code == Code::negate) {
    return negate(multiply(a, (*this)[b].operands[0]));
  }
  return operation(Code::multiply, std::min(a, b), std::max(a, b));
}

Value ScalarGraph::divide(Value a, Value b) {
  if (is_constant(b, 1.0)) {
    return a;
  }
  if (is_constant(b, -1.0)) {
    return negate(a);
  }
  if ((*this)[a].code == Code::negate) {
    return negate(divide((*this)[a].operands[0], b));
  }
  return operation(Code::divide, a, b);
}

Value ScalarGraph::negate(Value a) {
  if ((*this)[a].code == Code::negate) {
    return (*this)[a].operands[0];
  }
  return operation(Code::negate, a);
}

Value ScalarGraph::multiply_add(Code code, Value a, Value b, Value c) {
  return operation(code, std::min(a, b), std::max(a, b), c);
}

Value ScalarGraph::guarded_multiply(Value a, Value b) {
  if (is_constant(b, 1.0)) {
    return a;
  }
  if (is_constant(b, -1.0)) {
    return negate(a);
  }
  return operation(Code::guarded_multiply, a, b);
}

Value ScalarGraph::sqrt(Value a) {
  return operation(Code::sqrt, a);
}
Value ScalarGraph::absolute(Value a) {
  return operation(Code::absolute, a);
}
Value ScalarGraph::copy_sign(Value a, Value b) {
  return operation(Code::copy_sign, a, b);
}
Value ScalarGraph::minimum(Value a, Value b) {
  return a == b ? a : operation(Code::minimum, a, b);
}
Value ScalarGraph::maximum(Value a, Value b) {
  return a == b ? a : operation(Code::maximum, a, b);
}
Value ScalarGraph::less(Value a, Value b) {
  return operation(Code::less, a, b);
}
Value ScalarGraph::less_equal(Value a, Value b) {
  return operation(Code::less_equal, a, b);
}
Value ScalarGraph::equal(Value a, Value b) {
  return operation(Code::equal, std::min(a, b), std::max(a, b));
}

Value ScalarGraph::select(Value condition, Value a, Value b) {
  if (is_constant(condition)) {
    return (*this)[condition].value != 0 ? a : b;
  }
  return a == b ? a : operation(Code::select, condition, a, b);
}

Value ScalarGraph::apply(Function function, Value a) {
  return operation(Code::unary, a, kNoValue, kNoValue, function);
}

Value ScalarGraph::apply(Function function, Value a, Value b) {
  return operation(Code::binary, a, b, kNoValue, function);
}

Value ScalarGraph::rebuilt(const Scalar& scalar, const std::array<Value, 3>& operands) {
  if (scalar.operand_count() == 0) {
    return intern(scalar);
  }
  return operation(scalar.code, operands[0], operands[1], operands[2], scalar.function);
}

Value ScalarGraph::power(Value x, int n) {
  if (n < 0) {
    return divide(constant(1.0), power(x, -n));
  }
  Value result = kNoValue;
  Value square = x;
  for (int left = n; left > 0; left /= 2) {
    if (left % 2 == 1) {
      result = result == kNoValue ? square : multiply(result, square);
    }
    if (left > 1) {
      square = multiply(square, square);
    }
  }
  return result == kNoValue ? constant(1.0) : result;
}

}  // namespace weir::model
