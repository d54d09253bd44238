#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "weir/model/expr/latex_form.h"
#include "weir/model/expr/latex_symbols_internal.h"

namespace weir::model {
namespace {

constexpr std::array kInfix = {
    LatexSymbol{Op::logical_or, kOr, R"( \lor )"},
    LatexSymbol{Op::logical_and, kAnd, R"( \land )"},
    LatexSymbol{Op::less, kComparison, " < "},
    LatexSymbol{Op::less_equal, kComparison, R"( \leq )"},
    LatexSymbol{Op::equal, kComparison, " = "},
    LatexSymbol{Op::add, kSum, " + "},
    LatexSymbol{Op::subtract, kSum, " - "},
    LatexSymbol{Op::dot, kProduct, R"( \cdot )"},
    LatexSymbol{Op::multiply, kProduct, R"(\,)"},
    LatexSymbol{Op::matmul, kProduct, R"(\,)"},
};

/// Functions by name; others are upright.
constexpr std::array kFunctions = {
    LatexSymbol{Op::exp, kPower, R"(\exp)"},
    LatexSymbol{Op::log, kPower, R"(\ln)"},
    LatexSymbol{Op::sin, kPower, R"(\sin)"},
    LatexSymbol{Op::cos, kPower, R"(\cos)"},
    LatexSymbol{Op::tan, kPower, R"(\tan)"},
    LatexSymbol{Op::asin, kPower, R"(\arcsin)"},
    LatexSymbol{Op::acos, kPower, R"(\arccos)"},
    LatexSymbol{Op::atan, kPower, R"(\arctan)"},
    LatexSymbol{Op::sinh, kPower, R"(\sinh)"},
    LatexSymbol{Op::cosh, kPower, R"(\cosh)"},
    LatexSymbol{Op::tanh, kPower, R"(\tanh)"},
    LatexSymbol{Op::minimum, kPower, R"(\min)"},
    LatexSymbol{Op::maximum, kPower, R"(\max)"},
    LatexSymbol{Op::digamma, kPower, R"(\psi)"},
    LatexSymbol{Op::faddeeva, kPower, "w"},
    LatexSymbol{Op::real_part, kPower, R"(\mathrm{Re})"},
    LatexSymbol{Op::clog, kPower, R"(\mathrm{Log})"},
    LatexSymbol{Op::imaginary_part, kPower, R"(\mathrm{Im})"},
};

const LatexSymbol* symbol_of(std::span<const LatexSymbol> table, Op op) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const LatexSymbol& symbol) { return symbol.op == op; });
  return found == table.end() ? nullptr : &*found;
}

Part number_part(double value) {
  if (!std::isfinite(value)) {
    return {std::isnan(value) ? R"(\mathrm{NaN})"
            : value > 0       ? R"(\infty)"
                              : R"(-\infty)",
            value < 0 ? kSign : kValue};
  }
  if (value == std::numbers::pi) {
    return {R"(\pi)"};
  }
  std::string digits = fmt::format("{}", value);
  const int binding = digits.starts_with('-') ? kSign : kValue;
  const auto exponent = digits.find('e');
  if (exponent == digits.npos) {
    return {std::move(digits), binding};
  }
  return {fmt::format(R"({} \times 10^{{{}}})", digits.substr(0, exponent),
                      std::stoi(digits.substr(exponent + 1))),
          std::min<int>(binding, kProduct)};
}

Part parameter_part(const Parameter& parameter) {
  if (parameter.latex.empty()) {
    return {latex_name(parameter.name)};
  }
  // A second exponent would be an error of LaTeX.
  const bool raised = parameter.latex.find('^') != std::string::npos;
  return {parameter.latex, raised ? kPower : kValue};
}

Part constant_part(const Node& node) {
  Part imaginary = number_part(node.imaginary);
  if (!node.kind.is_complex()) {
    return number_part(node.value);
  }
  imaginary.text += R"(\,i)";
  imaginary.binding = std::min<int>(imaginary.binding, kProduct);
  if (node.value == 0) {
    return imaginary;
  }
  const char* sign = imaginary.text.starts_with('-') ? " " : " + ";
  return {number_part(node.value).text + sign + imaginary.text, kSum};
}

}  // namespace

const LatexSymbol* latex_infix(Op op) {
  return symbol_of(kInfix, op);
}

std::string latex_function(Op op) {
  const LatexSymbol* known = symbol_of(kFunctions, op);
  return known != nullptr ? known->text : latex_upright(name(op));
}

Part latex_leaf(const Node& node) {
  switch (node.op) {
    case Op::parameter:
      return parameter_part(*node.parameter);
    case Op::column:
      return {latex_name(node.name)};
    case Op::momentum: {
      constexpr std::array<const char*, 4> kComponents = {"E_{", "p_{x,", "p_{y,", "p_{z,"};
      return {kComponents[static_cast<std::size_t>(node.index)] + latex_name(node.name) + "}"};
    }
    default:
      return constant_part(node);
  }
}

}  // namespace weir::model
