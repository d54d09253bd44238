#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "weir/model/expr/expr.h"

namespace weir::model {

/// How often each node is an operand or a root.
std::unordered_map<const Node*, std::size_t> uses_of(std::span<const Expr> roots);

inline bool is_leaf(Op op) {
  return op <= Op::momentum;
}

/// The names of parameters, columns and particles.
std::unordered_set<std::string> names_in(std::span<const Expr> roots);

}  // namespace weir::model
