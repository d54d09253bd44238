#include "weir/model/expr/operations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "weir/core/error.h"
#include "weir/model/expr/matrix_operations_internal.h"
#include "weir/model/expr/model_function.h"

namespace weir::model {
namespace {

/// What an operation asks of its scalar operands.
enum class Wants : std::uint8_t { real, number, boolean, complex };

[[noreturn]] void refuse(Op op, const std::vector<Expr>& operands, const std::string& wanted) {
  std::vector<std::string> kinds;
  kinds.reserve(operands.size());
  for (const Expr& operand : operands) {
    kinds.push_back(text(operand.kind()));
  }
  throw Error(ErrorCode::invalid_spec,
              fmt::format("{}: needs {}, not ({})", name(op), wanted, fmt::join(kinds, ", ")));
}

bool is(Kind kind, Wants wants) {
  switch (wants) {
    case Wants::real:
      return kind.is_real();
    case Wants::number:
      return kind.is_real() || kind.is_complex();
    case Wants::boolean:
      return kind.is_boolean();
    case Wants::complex:
      return kind.is_real() || kind.is_complex();
  }
  return false;
}

void check(Op op, const std::vector<Expr>& operands, std::size_t count, Wants wants) {
  const bool right = operands.size() == count &&
                     std::all_of(operands.begin(), operands.end(),
                                 [&](const Expr& operand) { return is(operand.kind(), wants); });
  if (!right) {
    const char* what = wants == Wants::real      ? "real scalar"
                       : wants == Wants::boolean ? "truth value"
                                                 : "real or complex scalar";
    std::string wanted = fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    const bool has_complex_form = op == Op::sqrt || op == Op::log;
    if (has_complex_form && operands.size() == 1 && operands[0].kind().is_complex()) {
      wanted += fmt::format(" (of a complex value: {})", op == Op::sqrt ? "csqrt" : "clog");
    }
    refuse(op, operands, wanted);
  }
}

Expr node_of(Op op, Kind kind, std::vector<Expr> operands) {
  auto node = std::make_shared<Node>();
  node->op = op;
  node->kind = kind;
  node->operands = std::move(operands);
  return Expr(std::move(node));
}

bool any_complex(const std::vector<Expr>& operands) {
  return std::any_of(operands.begin(), operands.end(),
                     [](const Expr& x) { return x.kind().element == Element::complex; });
}

/// Scalars of numbers, complex when one operand is.
Expr numeric(Op op, std::vector<Expr> operands, std::size_t count) {
  check(op, operands, count, Wants::number);
  const Kind kind = any_complex(operands) ? Kind::complex() : Kind::real();
  return node_of(op, kind, std::move(operands));
}

Expr scalar(Op op, std::vector<Expr> operands, std::size_t count, Wants wants, Kind kind) {
  check(op, operands, count, wants);
  return node_of(op, kind, std::move(operands));
}

Expr make_select(std::vector<Expr> operands) {
  const bool right = operands.size() == 3 && operands[0].kind().is_boolean() &&
                     operands[1].kind().is_scalar() && operands[2].kind().is_scalar() &&
                     operands[1].kind().is_boolean() == operands[2].kind().is_boolean();
  if (!right) {
    refuse(Op::select, operands, "a truth value and two scalars");
  }
  const Kind kind = operands[1].kind() == operands[2].kind() ? operands[1].kind() : Kind::complex();
  return node_of(Op::select, kind, std::move(operands));
}

Expr make_power(std::vector<Expr> operands, int exponent) {
  if (exponent > 1024 || exponent < -1024) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("power: the exponent {} is outside -1024 to 1024", exponent));
  }
  Expr made = numeric(Op::power_integer, std::move(operands), 1);
  auto node = std::make_shared<Node>(made.node());
  node->index = exponent;
  return Expr(std::move(node));
}

}  // namespace

Expr make(Op op, std::vector<Expr> operands, int index, int column) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::negate: {
      if (auto shaped = shaped_arithmetic(op, operands)) {
        return *shaped;
      }
      return numeric(op, std::move(operands), op == Op::negate ? 1 : 2);
    }
    case Op::exp:
    case Op::sin:
    case Op::cos:
    case Op::sinh:
    case Op::cosh:
      return numeric(op, std::move(operands), 1);
    case Op::power_integer:
      return make_power(std::move(operands), index);
    case Op::power:
    case Op::atan2:
    case Op::minimum:
    case Op::maximum:
      return scalar(op, std::move(operands), 2, Wants::real, Kind::real());
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return scalar(op, std::move(operands), 2, Wants::real, Kind::boolean());
    case Op::logical_not:
      return scalar(op, std::move(operands), 1, Wants::boolean, Kind::boolean());
    case Op::logical_and:
    case Op::logical_or:
      return scalar(op, std::move(operands), 2, Wants::boolean, Kind::boolean());
    case Op::select:
      return make_select(std::move(operands));
    case Op::complex:
      return scalar(op, std::move(operands), 2, Wants::real, Kind::complex());
    case Op::real_part:
    case Op::imaginary_part:
    case Op::norm_squared:
      return scalar(op, std::move(operands), 1, Wants::complex, Kind::real());
    case Op::conjugate:
    case Op::csqrt:
    case Op::clog:
    case Op::faddeeva:
      return scalar(op, std::move(operands), 1, Wants::complex, Kind::complex());
    case Op::vector:
    case Op::matrix:
    case Op::element:
    case Op::matmul:
    case Op::dot:
    case Op::transpose:
    case Op::solve:
      return make_shaped(op, std::move(operands), index, column);
    case Op::constant:
    case Op::parameter:
    case Op::column:
    case Op::momentum:
    case Op::call:
      throw Error(ErrorCode::internal,
                  fmt::format("make({}): leaves and calls have builders of their own", name(op)));
    default:
      return scalar(op, std::move(operands), 1, Wants::real, Kind::real());
  }
}

Expr constant(double value) {
  auto node = std::make_shared<Node>();
  node->op = Op::constant;
  node->kind = Kind::real();
  node->value = value;
  return Expr(std::move(node));
}

Expr constant(double real, double imaginary) {
  auto node = std::make_shared<Node>();
  node->op = Op::constant;
  node->kind = Kind::complex();
  node->value = real;
  node->imaginary = imaginary;
  return Expr(std::move(node));
}

Expr parameter(const Parameter& definition) {
  check(definition);
  auto node = std::make_shared<Node>();
  node->op = Op::parameter;
  node->kind = Kind::real();
  node->parameter = std::make_shared<const Parameter>(definition);
  return Expr(std::move(node));
}

Expr column(std::string name) {
  if (name.empty()) {
    throw Error(ErrorCode::invalid_spec, "column: the name is empty");
  }
  auto node = std::make_shared<Node>();
  node->op = Op::column;
  node->kind = Kind::real();
  node->name = std::move(name);
  return Expr(std::move(node));
}

Expr momentum(std::string particle, MomentumComponent component) {
  Expr leaf = column(std::move(particle));
  auto node = std::make_shared<Node>(leaf.node());
  node->op = Op::momentum;
  node->index = static_cast<int>(component);
  return Expr(std::move(node));
}

Expr call(const ModelFunction& function, std::vector<Expr> arguments) {
  if (arguments.size() != function.arguments.size()) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("{}: takes {} arguments ({}), not {}", function.name, function.arguments.size(),
                    fmt::join(function.arguments, ", "), arguments.size()));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].kind().is_real()) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: {} must be Real, not {}", function.name, function.arguments[i],
                              text(arguments[i].kind())));
    }
  }
  Expr made = node_of(Op::call, Kind::real(), std::move(arguments));
  auto node = std::make_shared<Node>(made.node());
  node->function = &function;
  return Expr(std::move(node));
}

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
