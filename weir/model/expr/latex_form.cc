#include "weir/model/expr/latex_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "weir/model/expr/latex_symbols_internal.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/written_parts_internal.h"

namespace weir::model {
namespace {

/// Parts that lie deeper, and shared parts that are longer, are defined once.
constexpr int kDeepest = 12;
constexpr std::size_t kShort = 20;

class Writer {
 public:
  explicit Writer(const Expr& root) : root_(root), parts_(root), taken_(names_in({&root, 1})) {}

  LatexForm run() {
    for (const Node* node : operands_first({&root_, 1})) {
      Part part = composed(*node);
      const bool long_and_shared = parts_.is_shared(*node) && part.text.size() > kShort;
      if (node != &root_.node() && !is_leaf(node->op) &&
          (long_and_shared || part.depth > kDeepest)) {
        part = named(std::move(part.text));
      }
      parts_.put(*node, std::move(part));
    }
    form_.result = parts_.at(root_).text;
    return std::move(form_);
  }

 private:
  Part named(std::string value) {
    do {
      ++last_name_;
    } while (taken_.contains(fmt::format("t{}", last_name_)) ||
             taken_.contains(fmt::format("t_{}", last_name_)));
    std::string name = fmt::format("t_{{{}}}", last_name_);
    form_.definitions.emplace_back(name, std::move(value));
    return {.text = std::move(name)};
  }

  static Part enclosed(Part part, const char* left = R"(\left()",
                       const char* right = R"(\right))") {
    part.text.insert(0, left);
    part.text += right;
    part.binding = kValue;
    part.head = 0;
    ++part.depth;
    return part;
  }

  Part operand(const Expr& expr, int least) {
    Part part = parts_.take(expr);
    if (part.binding < least) {
      part = enclosed(std::move(part));
    }
    return part;
  }
  Part right_operand(const Expr& expr, int least) {
    Part part = operand(expr, least);
    if (part.text.starts_with('-')) {
      part = enclosed(std::move(part));
    }
    return part;
  }

  Part composed(const Node& node) {
    if (const LatexSymbol* infix = latex_infix(node.op)) {
      return infix_part(node, *infix);
    }
    switch (node.op) {
      case Op::constant:
      case Op::parameter:
      case Op::column:
      case Op::momentum:
        return latex_leaf(node);
      case Op::divide:
        return fraction(node);
      case Op::negate:
        return around("-", right_operand(node.operands[0], kProduct), "", kSign);
      case Op::logical_not:
        return around(R"(\lnot )", operand(node.operands[0], kSign), "", kSign);
      case Op::power_integer:
        return raised(node, {std::to_string(node.index)});
      case Op::power:
        return raised(node, parts_.take(node.operands[1]));
      case Op::select:
        return cases(node);
      case Op::vector:
      case Op::matrix:
        return array_part(node);
      case Op::complex:
        return complex_part(node);
      default:
        return function_part(node);
    }
  }

  Part infix_part(const Node& node, const LatexSymbol& infix) {
    const bool strict = infix.binding == kComparison || infix.op == Op::dot;
    Part left = operand(node.operands[0], infix.binding + (strict ? 1 : 0));
    // Sums and products need no parentheses from the right, differences do.
    const bool looser = infix.op == Op::subtract || strict;
    const Part right = right_operand(node.operands[1], infix.binding + (looser ? 1 : 0));
    const bool digit = right.text.front() >= '0' && right.text.front() <= '9';
    left.text += infix.op == Op::multiply && digit ? R"( \cdot )" : infix.text;
    left.text += right.text;
    left.binding = infix.binding;
    left.depth = std::max(left.depth, right.depth + 1);
    left.head = 0;
    return left;
  }

  static Part around(const char* before, Part part, const char* after, int binding) {
    part = enclosed(std::move(part), before, after);
    part.binding = binding;
    return part;
  }

  /// Operands in braces of their own: \frac{a}{b}, \sqrt{x}.
  Part braced(const char* opening, const Node& node, int binding) {
    Part part{.text = opening, .binding = binding};
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const Part item = parts_.take(node.operands[i]);
      part.text += i == 0 ? "" : "{";
      part.text += item.text;
      part.text += '}';
      part.depth = std::max(part.depth, item.depth + 1);
    }
    return part;
  }

  /// A sign stands before the bar, not on it.
  Part fraction(const Node& node) {
    const Part& above = parts_.at(node.operands[0]);
    const bool negative = above.text.starts_with('-') && above.binding >= kProduct;
    Part part = braced(R"(\frac{)", node, kPower);
    if (negative) {
      part.text.replace(0, std::string_view(R"(\frac{-)").size(), R"(-\frac{)");
      part.binding = kSign;
    }
    return part;
  }

  Part raised(const Node& node, const Part& exponent) {
    Part base = parts_.take(node.operands[0]);
    const std::string above = fmt::format("^{{{}}}", exponent.text);
    if (base.head > 0 && !exponent.text.starts_with('-')) {
      base.text.insert(base.head, above);  // \sin^{2}(x)
      base.head = 0;
    } else {
      if (base.binding < kValue) {
        base = enclosed(std::move(base));
      }
      base = around("", std::move(base), above.c_str(), kPower);
    }
    base.depth = std::max(base.depth, exponent.depth + 1);
    return base;
  }

  Part cases(const Node& node) {
    const Part condition = parts_.take(node.operands[0]);
    const Part first = parts_.take(node.operands[1]);
    const Part second = parts_.take(node.operands[2]);
    return {
        .text = fmt::format(R"(\begin{{cases}} {} & \text{{if }} {} \\ {} & \text{{otherwise}} )"
                            R"(\end{{cases}})",
                            first.text, condition.text, second.text),
        .binding = kSum,
        .depth = std::max({condition.depth, first.depth, second.depth}) + 4};
  }

  Part array_part(const Node& node) {
    Part part{.text = R"(\begin{pmatrix} )"};
    const std::size_t columns =
        node.op == Op::vector ? 1 : static_cast<std::size_t>(node.kind.columns);
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const Part item = parts_.take(node.operands[i]);
      part.text += i == 0 ? "" : i % columns == 0 ? R"( \\ )" : " & ";
      part.text += item.text;
      part.depth = std::max(part.depth, item.depth + 4);
    }
    part.text += R"( \end{pmatrix})";
    return part;
  }

  Part complex_part(const Node& node) {
    Part real = operand(node.operands[0], kSum);
    const Part imaginary = right_operand(node.operands[1], kProduct);
    real.text += R"( + i\,)" + imaginary.text;
    real.binding = kSum;
    real.depth = std::max(real.depth, imaginary.depth + 1);
    real.head = 0;
    return real;
  }

  Part function_part(const Node& node) {
    const Expr& first = node.operands[0];
    switch (node.op) {
      case Op::exp:
        // An exponent that is short and flat stands above.
        return parts_.at(first).text.size() > kShort || parts_.at(first).depth > 2
                   ? applied(node, R"(\exp)")
                   : around("e^{", parts_.take(first), "}", kPower);
      case Op::expm1:
        return around("e^{", parts_.take(first), "} - 1", kSum);
      case Op::log1p:
        return around(R"(\ln\left(1 + )", operand(first, kSum), R"(\right))", kPower);
      case Op::sqrt:
      case Op::csqrt:
        return braced(R"(\sqrt{)", node, kPower);
      case Op::cbrt:
        return braced(R"(\sqrt[3]{)", node, kPower);
      case Op::absolute:
        return enclosed(parts_.take(first), R"(\left|)", R"(\right|)");
      case Op::norm_squared:
        return around(R"(\left|)", parts_.take(first), R"(\right|^{2})", kPower);
      case Op::lgamma:
        return around(R"(\ln\left|\Gamma\left()", parts_.take(first), R"(\right)\right|)", kPower);
      case Op::conjugate:
        return braced(R"(\overline{)", node, kValue);
      case Op::element:
        return around("", operand(first, kValue), place_of(node).c_str(), kPower);
      case Op::transpose:
        return around("", operand(first, kValue), "^{T}", kPower);
      case Op::solve: {
        Part inverse = around("", operand(first, kValue), R"(^{-1}\,)", kProduct);
        const Part right = right_operand(node.operands[1], kProduct);
        inverse.text += right.text;
        inverse.depth = std::max(inverse.depth, right.depth + 1);
        return inverse;
      }
      case Op::call:
        return applied(node, latex_upright(node.function->name));
      default:
        break;
    }
    return applied(node, latex_function(node.op));
  }

  static std::string place_of(const Node& node) {
    return node.operands[0].kind().is_matrix() ? fmt::format("_{{{},{}}}", node.index, node.column)
                                               : fmt::format("_{{{}}}", node.index);
  }

  /// A function and its arguments in parentheses; the variable of a density stands apart.
  Part applied(const Node& node, const std::string& function) {
    Part part{.text = function + R"(\left()", .binding = kPower, .head = function.size()};
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const Part item = parts_.take(node.operands[i]);
      part.text += i == 0 ? "" : i == 1 && node.op == Op::call ? "; " : ", ";
      part.text += item.text;
      part.depth = std::max(part.depth, item.depth + 1);
    }
    part.text += R"(\right))";
    return part;
  }

  const Expr& root_;
  WrittenParts parts_;
  std::unordered_set<std::string> taken_;
  LatexForm form_;
  int last_name_ = 0;
};

}  // namespace

LatexForm latex_form(const Expr& root) {
  return Writer(root).run();
}

std::string print_latex(const Expr& root) {
  const LatexForm form = latex_form(root);
  if (form.definitions.empty()) {
    return form.result;
  }
  std::string text = "\\begin{aligned}\n";
  for (const auto& [name, value] : form.definitions) {
    text += fmt::format("{} &= {} \\\\\n", name, value);
  }
  return text + fmt::format("f &= {}\n\\end{{aligned}}", form.result);
}

}  // namespace weir::model
