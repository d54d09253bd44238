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

/// Operations between scalars of one fixed sort.
struct Signature {
  std::size_t operands;
  Wants wants;
  Kind result;
};

Signature signature_of(Op op) {
  switch (op) {
    case Op::power:
    case Op::atan2:
    case Op::minimum:
    case Op::maximum:
      return {2, Wants::real, Kind::real()};
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return {2, Wants::real, Kind::boolean()};
    case Op::logical_not:
      return {1, Wants::boolean, Kind::boolean()};
    case Op::logical_and:
    case Op::logical_or:
      return {2, Wants::boolean, Kind::boolean()};
    case Op::complex:
      return {2, Wants::real, Kind::complex()};
    case Op::real_part:
    case Op::imaginary_part:
    case Op::norm_squared:
      return {1, Wants::complex, Kind::real()};
    case Op::conjugate:
    case Op::csqrt:
    case Op::clog:
    case Op::faddeeva:
      return {1, Wants::complex, Kind::complex()};
    default:
      return {1, Wants::real, Kind::real()};
  }
}

bool is_arithmetic(Op op) {
  return op >= Op::add && op <= Op::negate;
}

bool is_shaped(Op op) {
  return op >= Op::vector && op <= Op::solve;
}

/// Functions that take complex values as they take real ones.
bool is_analytic(Op op) {
  return op == Op::exp || op == Op::sin || op == Op::cos || op == Op::sinh || op == Op::cosh;
}

}  // namespace

Expr make(Op op, std::vector<Expr> operands, int index, int column) {
  if (is_arithmetic(op)) {
    if (auto shaped = shaped_arithmetic(op, operands)) {
      return *shaped;
    }
    return numeric(op, std::move(operands), op == Op::negate ? 1 : 2);
  }
  if (is_shaped(op)) {
    return make_shaped(op, std::move(operands), index, column);
  }
  if (op == Op::power_integer) {
    return make_power(std::move(operands), index);
  }
  if (op == Op::select) {
    return make_select(std::move(operands));
  }
  if (is_analytic(op)) {
    return numeric(op, std::move(operands), 1);
  }
  if (op <= Op::momentum || op == Op::call) {
    throw Error(ErrorCode::internal,
                fmt::format("make({}): leaves and calls have builders of their own", name(op)));
  }
  const Signature signature = signature_of(op);
  return scalar(op, std::move(operands), signature.operands, signature.wants, signature.result);
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
  if (!function.takes(arguments.size())) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: takes {}{} arguments ({}{}), not {}", function.name,
                            function.repeats_last ? "at least " : "", function.arguments.size(),
                            fmt::join(function.arguments, ", "),
                            function.repeats_last ? ", ..." : "", arguments.size()));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].kind().is_real()) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: {} must be Real, not {}", function.name,
                              function.arguments[std::min(i, function.arguments.size() - 1)],
                              text(arguments[i].kind())));
    }
  }
  Expr made = node_of(Op::call, Kind::real(), std::move(arguments));
  auto node = std::make_shared<Node>(made.node());
  node->function = &function;
  return Expr(std::move(node));
}

}  // namespace weir::model
