#include "weir/model/compile/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "weir/core/error.h"
#include "weir/model/compile/complex_values_internal.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

constexpr std::size_t kMostRowsToSolve = 16;
constexpr int kDeepestLogForm = 64;  // products of products

using Elements = std::vector<ComplexValue>;

std::optional<Function> function_of(Op op) {
  switch (op) {
    case Op::expm1:
      return Function::expm1;
    case Op::log:
      return Function::log;
    case Op::log1p:
      return Function::log1p;
    case Op::cbrt:
      return Function::cbrt;
    case Op::tan:
      return Function::tan;
    case Op::asin:
      return Function::asin;
    case Op::acos:
      return Function::acos;
    case Op::atan:
      return Function::atan;
    case Op::tanh:
      return Function::tanh;
    case Op::erf:
      return Function::erf;
    case Op::erfc:
      return Function::erfc;
    case Op::erfcx:
      return Function::erfcx;
    case Op::lgamma:
      return Function::lgamma;
    case Op::digamma:
      return Function::digamma;
    case Op::dawson:
      return Function::dawson;
    case Op::bessel_i0e:
      return Function::bessel_i0e;
    case Op::bessel_i1e:
      return Function::bessel_i1e;
    case Op::power:
      return Function::pow;
    case Op::atan2:
      return Function::atan2;
    default:
      return std::nullopt;
  }
}

}  // namespace

class Lowering::Impl {
 public:
  explicit Impl(ScalarGraph& graph) : graph_(graph), complex_(graph) {}

  const Elements& lower(const Expr& expression) {
    for (const Node* node : operands_first({&expression, 1})) {
      if (!done_.contains(node)) {
        Elements made = lower_node(*node);
        done_.emplace(node, std::move(made));
      }
    }
    // Nodes are remembered by address: they must not go while this lives.
    kept_.push_back(expression);
    return done_.at(&expression.node());
  }

  Value lower_log(const Expr& expression) {
    const auto log = log_form(expression, kDeepestLogForm);
    return log ? *log : plain_log(expression);
  }

  Value imaginary(ComplexValue value) const { return complex_.imaginary(value); }

  Symbols symbols;

 private:
  const Elements& of(const Expr& operand) const { return done_.at(&operand.node()); }
  ComplexValue scalar(const Expr& operand) const { return of(operand).front(); }
  static Elements one(ComplexValue value) { return {value}; }
  static Elements real(Value value) { return {{value, kNoValue}}; }

  Value plain_log(const Expr& expression) {
    return graph_.apply(Function::log, lower(expression).front().re);
  }

  /// The log forms of two operands, or their plain logarithms; nothing where neither has a log
  /// form.
  std::optional<std::array<Value, 2>> log_forms(const Expr& first, const Expr& second, int depth) {
    const auto a = log_form(first, depth);
    const auto b = log_form(second, depth);
    if (!a && !b) {
      return std::nullopt;
    }
    return std::array{a ? *a : plain_log(first), b ? *b : plain_log(second)};
  }

  std::optional<Value> log_form(const Expr& expression, int depth) {
    const Node& node = expression.node();
    if (node.op == Op::call && node.function->log_value != nullptr) {
      return lower(node.function->log_value(node.operands)).front().re;
    }
    if (depth == 0 || !node.kind.is_real()) {
      return std::nullopt;
    }
    if (node.op == Op::multiply || node.op == Op::divide) {
      const auto logs = log_forms(node.operands[0], node.operands[1], depth - 1);
      if (logs) {
        return node.op == Op::multiply ? graph_.add((*logs)[0], (*logs)[1])
                                       : graph_.subtract((*logs)[0], (*logs)[1]);
      }
    }
    if (node.op == Op::select) {
      const auto logs = log_forms(node.operands[1], node.operands[2], depth - 1);
      if (logs) {
        return graph_.select(lower(node.operands[0]).front().re, (*logs)[0], (*logs)[1]);
      }
    }
    return std::nullopt;
  }

  Elements lower_node(const Node& node) {
    if (node.op <= Op::momentum) {
      return one(leaf(node));
    }
    if (node.op == Op::call) {
      return lower(node.function->value(node.operands));
    }
    if (node.op >= Op::vector && node.op <= Op::solve) {
      return shaped(node);
    }
    if (node.op >= Op::add && node.op <= Op::power_integer) {
      return arithmetic(node);
    }
    if (const auto function = function_of(node.op)) {
      const Value a = scalar(node.operands[0]).re;
      return real(node.operands.size() == 2
                      ? graph_.apply(*function, a, scalar(node.operands[1]).re)
                      : graph_.apply(*function, a));
    }
    return node.op >= Op::complex ? of_complex(node) : of_scalars(node);
  }

  ComplexValue leaf(const Node& node) {
    switch (node.op) {
      case Op::constant:
        return complex_.make(graph_.constant(node.value),
                             node.kind.is_complex() ? graph_.constant(node.imaginary) : kNoValue);
      case Op::parameter:
        return {parameter(node.parameter), kNoValue};
      case Op::column:
        return {column(node.name), kNoValue};
      default:
        return {column(momentum_column(node.name, static_cast<MomentumComponent>(node.index))),
                kNoValue};
    }
  }

  Value parameter(const std::shared_ptr<const Parameter>& definition) {
    const auto [at, added] = parameters_.emplace(definition->name, definition);
    if (!added && !(*at->second == *definition)) {
      const std::array<Expr, 2> both = {model::parameter(*at->second),
                                        model::parameter(*definition)};
      parameters_of(both);  // says in what they differ
    }
    if (definition->fixed) {
      return graph_.constant(*definition->initial);
    }
    const auto known = std::find_if(symbols.parameters.begin(), symbols.parameters.end(),
                                    [&](const auto& other) { return other == at->second; });
    if (known == symbols.parameters.end()) {
      symbols.parameters.push_back(at->second);
      places_.emplace(definition->name, static_cast<std::int32_t>(symbols.parameters.size()) - 1);
    }
    return graph_.parameter(places_.at(definition->name));
  }

  Value column(const std::string& name) {
    const auto [at, added] =
        columns_.emplace(name, static_cast<std::int32_t>(symbols.columns.size()));
    if (added) {
      symbols.columns.push_back(name);
    }
    return graph_.column(at->second);
  }

  Elements arithmetic(const Node& node) {
    const Elements& a = of(node.operands[0]);
    const Elements none;
    const Elements& b = node.operands.size() == 2 ? of(node.operands[1]) : none;
    Elements result(static_cast<std::size_t>(node.kind.size()));
    for (std::size_t i = 0; i < result.size(); ++i) {
      const ComplexValue x = a.size() == 1 ? a[0] : a[i];
      const ComplexValue y = b.empty() ? ComplexValue{} : b.size() == 1 ? b[0] : b[i];
      result[i] = arithmetic(node, x, y);
    }
    return result;
  }

  ComplexValue arithmetic(const Node& node, ComplexValue x, ComplexValue y) {
    switch (node.op) {
      case Op::add:
        return complex_.add(x, y);
      case Op::subtract:
        return complex_.subtract(x, y);
      case Op::multiply:
        return complex_.multiply(x, y);
      case Op::divide:
        return complex_.divide(x, y);
      case Op::negate:
        return complex_.negate(x);
      default:
        return complex_.power(x, node.index);
    }
  }

  Elements of_scalars(const Node& node) {
    const ComplexValue a = scalar(node.operands[0]);
    const ComplexValue b = node.operands.size() > 1 ? scalar(node.operands[1]) : ComplexValue{};
    const Value one_value = graph_.constant(1.0);
    switch (node.op) {
      case Op::exp:
        return one(complex_.exp(a));
      case Op::sin:
        return one(complex_.sin(a));
      case Op::cos:
        return one(complex_.cos(a));
      case Op::sinh:
        return one(complex_.sinh(a));
      case Op::cosh:
        return one(complex_.cosh(a));
      case Op::sqrt:
        return real(graph_.sqrt(a.re));
      case Op::absolute:
        return real(graph_.absolute(a.re));
      case Op::minimum:
        return real(graph_.minimum(a.re, b.re));
      case Op::maximum:
        return real(graph_.maximum(a.re, b.re));
      case Op::less:
        return real(graph_.less(a.re, b.re));
      case Op::less_equal:
        return real(graph_.less_equal(a.re, b.re));
      case Op::equal:
        return real(graph_.equal(a.re, b.re));
      case Op::logical_not:
        return real(graph_.subtract(one_value, a.re));
      case Op::logical_and:
        return real(graph_.minimum(a.re, b.re));
      case Op::logical_or:
        return real(graph_.maximum(a.re, b.re));
      case Op::select:
        return one(complex_.select(a.re, b, scalar(node.operands[2])));
      default:
        throw Error(ErrorCode::internal,
                    fmt::format("lower: {} is not taken apart", name(node.op)));
    }
  }

  Elements of_complex(const Node& node) {
    const ComplexValue z = scalar(node.operands[0]);
    switch (node.op) {
      case Op::complex:
        return one(complex_.make(z.re, scalar(node.operands[1]).re));
      case Op::real_part:
        return real(z.re);
      case Op::imaginary_part:
        return real(complex_.imaginary(z));
      case Op::conjugate:
        return one(complex_.conjugate(z));
      case Op::norm_squared:
        return real(complex_.norm_squared(z));
      case Op::csqrt:
        return one(complex_.sqrt(z));
      case Op::clog:
        return one(complex_.log(z));
      case Op::faddeeva:
        return one(complex_.faddeeva(z));
      default:
        throw Error(ErrorCode::internal,
                    fmt::format("lower: {} is not taken apart", name(node.op)));
    }
  }

  Elements shaped(const Node& node) {
    switch (node.op) {
      case Op::vector:
      case Op::matrix:
        return gathered(node);
      case Op::element: {
        const auto columns = static_cast<std::size_t>(std::max(node.operands[0].kind().columns, 1));
        const auto row = static_cast<std::size_t>(node.index);
        return one(of(node.operands[0])[row * columns + static_cast<std::size_t>(node.column)]);
      }
      case Op::transpose:
        return transposed(of(node.operands[0]), node.kind);
      case Op::solve: {
        if (of(node.operands[1]).size() > kMostRowsToSolve) {
          throw Error(ErrorCode::unsupported,
                      fmt::format("solve: at most {} rows, not {}", kMostRowsToSolve,
                                  of(node.operands[1]).size()));
        }
        return complex_.solve(of(node.operands[0]), of(node.operands[1]));
      }
      default:
        return product(node);  // matmul and dot
    }
  }

  Elements gathered(const Node& node) const {
    Elements result;
    for (const Expr& element : node.operands) {
      result.push_back(scalar(element));
    }
    return result;
  }

  static Elements transposed(const Elements& from, Kind kind) {
    Elements result;
    const auto rows = static_cast<std::size_t>(kind.rows);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < static_cast<std::size_t>(kind.columns); ++column) {
        result.push_back(from[column * rows + row]);
      }
    }
    return result;
  }

  Elements product(const Node& node) const {
    const Elements& a = of(node.operands[0]);
    const Elements& b = of(node.operands[1]);
    const bool inner = node.op == Op::dot;
    const auto common = static_cast<std::size_t>(node.operands[1].kind().rows);
    const auto columns = static_cast<std::size_t>(std::max(node.operands[1].kind().columns, 1));
    const std::size_t rows = inner ? 1 : static_cast<std::size_t>(node.operands[0].kind().rows);
    Elements result;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < columns; ++column) {
        ComplexValue sum = complex_.multiply(a[row * common], b[column]);
        for (std::size_t k = 1; k < common; ++k) {
          sum = complex_.add(sum, complex_.multiply(a[row * common + k], b[k * columns + column]));
        }
        result.push_back(sum);
      }
    }
    return result;
  }

  ScalarGraph& graph_;
  ComplexArithmetic complex_;
  std::unordered_map<const Node*, Elements> done_;
  std::unordered_map<std::string, std::shared_ptr<const Parameter>> parameters_;
  std::unordered_map<std::string, std::int32_t> places_;
  std::unordered_map<std::string, std::int32_t> columns_;
  std::vector<Expr> kept_;
};

Lowering::Lowering(ScalarGraph& graph) : impl_(std::make_unique<Impl>(graph)) {}
Lowering::~Lowering() = default;

std::vector<Value> Lowering::lower(const Expr& expression) {
  const bool complex = expression.kind().element == Element::complex;
  std::vector<Value> values;
  for (const ComplexValue& element : impl_->lower(expression)) {
    values.push_back(element.re);
    if (complex) {
      values.push_back(impl_->imaginary(element));
    }
  }
  return values;
}

Value Lowering::lower_log(const Expr& expression) {
  return impl_->lower_log(expression);
}

const Symbols& Lowering::symbols() const {
  return impl_->symbols;
}

}  // namespace weir::model
