#include "weir/model/expr/integral.h"

#include <unordered_map>

#include "weir/model/expr/gauss_legendre.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

bool is_column(const Node& node, std::string_view column) {
  if (node.op == Op::momentum) {
    return momentum_column(node.name, static_cast<MomentumComponent>(node.index)) == column;
  }
  return node.op == Op::column && node.name == column;
}

/// Integrals of every part of an expression, operands first.
class Integration {
 public:
  Integration(std::string_view column, const Expr& lower, const Expr& upper)
      : column_(column), lower_(lower), upper_(upper) {}

  std::optional<Expr> of(const Expr& root) {
    for (const Node* node : operands_first({&root, 1})) {
      depends_[node] = is_column(*node, column_);
      for (const Expr& operand : node->operands) {
        depends_[node] = depends_[node] || depends_.at(&operand.node());
      }
      if (depends_[node]) {
        if (auto found = varying(*node)) {
          integrals_.emplace(node, *found);
        }
      }
    }
    return integral(root);
  }

 private:
  bool depends(const Expr& part) const { return depends_.at(&part.node()); }

  std::optional<Expr> integral(const Expr& part) const {
    if (!depends(part)) {
      return part * (upper_ - lower_);
    }
    const auto at = integrals_.find(&part.node());
    return at == integrals_.end() ? std::nullopt : std::optional(at->second);
  }

  std::optional<Expr> varying(const Node& node) const {
    if (!node.kind.is_real()) {
      return std::nullopt;
    }
    switch (node.op) {
      case Op::column:
      case Op::momentum:
        return power_between(1);
      case Op::power_integer:
        return is_column(node.operands[0].node(), column_) ? power_between(node.index)
                                                           : std::nullopt;
      case Op::add:
      case Op::subtract:
        return of_sum(node);
      case Op::negate: {
        const auto inner = integral(node.operands[0]);
        return inner ? std::optional(-*inner) : std::nullopt;
      }
      case Op::multiply:
        return of_product(node);
      case Op::divide: {
        const auto inner = depends(node.operands[1]) ? std::nullopt : integral(node.operands[0]);
        return inner ? std::optional(*inner / node.operands[1]) : std::nullopt;
      }
      case Op::call:
        return of_call(node);
      default:
        return std::nullopt;
    }
  }

  std::optional<Expr> power_between(int exponent) const {
    if (exponent == -1) {
      return std::nullopt;
    }
    const int next = exponent + 1;
    return (power(upper_, next) - power(lower_, next)) / static_cast<double>(next);
  }

  std::optional<Expr> of_sum(const Node& node) const {
    const auto a = integral(node.operands[0]);
    const auto b = integral(node.operands[1]);
    if (!a || !b) {
      return std::nullopt;
    }
    return node.op == Op::add ? *a + *b : *a - *b;
  }

  std::optional<Expr> of_product(const Node& node) const {
    const bool first = depends(node.operands[0]);
    if (first && depends(node.operands[1])) {
      return std::nullopt;
    }
    const auto inner = integral(node.operands[first ? 0 : 1]);
    return inner ? std::optional(node.operands[first ? 1 : 0] * *inner) : std::nullopt;
  }

  std::optional<Expr> of_call(const Node& node) const {
    if (node.function->integral == nullptr || !is_column(node.operands[0].node(), column_)) {
      return std::nullopt;
    }
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      if (depends(node.operands[i])) {
        return std::nullopt;
      }
    }
    return node.function->integral(node.operands, lower_, upper_);
  }

  std::string_view column_;
  Expr lower_;
  Expr upper_;
  std::unordered_map<const Node*, bool> depends_;
  std::unordered_map<const Node*, Expr> integrals_;
};

}  // namespace

bool depends_on(const Expr& expression, std::string_view column) {
  for (const Node* node : operands_first({&expression, 1})) {
    if (is_column(*node, column)) {
      return true;
    }
  }
  return false;
}

Expr substitute(const Expr& expression, std::string_view column, const Expr& replacement) {
  std::unordered_map<const Node*, Expr> made;
  for (const Node* node : operands_first({&expression, 1})) {
    if (is_column(*node, column)) {
      made.emplace(node, replacement);
      continue;
    }
    auto copy = std::make_shared<Node>(*node);
    for (Expr& operand : copy->operands) {
      operand = made.at(&operand.node());
    }
    made.emplace(node, Expr(std::move(copy)));
  }
  return made.at(&expression.node());
}

std::optional<Expr> integral(const Expr& expression, std::string_view column, const Expr& lower,
                             const Expr& upper) {
  return Integration(column, lower, upper).of(expression);
}

Expr gauss_integral(const Expr& expression, std::string_view column, const Expr& lower,
                    const Expr& upper, int points) {
  const QuadratureRule rule = gauss_legendre(points);
  const Expr half = (upper - lower) * 0.5;
  const Expr middle = (upper + lower) * 0.5;
  Expr sum = 0.0;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    sum = sum + rule.weights[i] * substitute(expression, column, middle + half * rule.nodes[i]);
  }
  return half * sum;
}

}  // namespace weir::model
