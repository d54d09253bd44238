#include "weir/model/expr/shared_parts_internal.h"

namespace weir::model {

std::unordered_map<const Node*, std::size_t> uses_of(std::span<const Expr> roots) {
  std::unordered_map<const Node*, std::size_t> uses;
  for (const Expr& root : roots) {
    ++uses[&root.node()];
  }
  for (const Node* node : operands_first(roots)) {
    for (const Expr& operand : node->operands) {
      ++uses[&operand.node()];
    }
  }
  return uses;
}

std::unordered_set<std::string> names_in(std::span<const Expr> roots) {
  std::unordered_set<std::string> names;
  for (const Node* node : operands_first(roots)) {
    if (node->op == Op::parameter) {
      names.insert(node->parameter->name);
    } else if (is_leaf(node->op) && node->op != Op::constant) {
      names.insert(node->name);
    }
  }
  return names;
}

}  // namespace weir::model
