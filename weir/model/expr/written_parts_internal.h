#pragma once

#include <string>
#include <unordered_map>
#include <utility>

#include "weir/model/expr/shared_parts_internal.h"

namespace weir::model {

/// How tightly a written part binds.
enum Binding : int { kOr = 1, kAnd, kNot, kComparison, kSum, kProduct, kSign, kPower, kValue };

/// The text of a subtree.
struct Part {
  std::string text = {};
  int binding = kValue;
  int depth = 0;
  std::size_t head = 0;  ///< Where it is a function of something: the length of its name.
};

/// The parts of one expression while it is written, operands first.
class WrittenParts {
 public:
  explicit WrittenParts(const Expr& root) : uses_(uses_of({&root, 1})) {}

  bool is_shared(const Node& node) const { return uses_.at(&node) > 1; }
  void put(const Node& node, Part part) { parts_.emplace(&node, std::move(part)); }
  const Part& at(const Expr& expr) const { return parts_.at(&expr.node()); }
  /// Moved out where this is its one use, so that a long chain is not copied at every link.
  Part take(const Expr& expr) {
    Part& known = parts_.at(&expr.node());
    return is_shared(expr.node()) ? known : std::move(known);
  }

 private:
  std::unordered_map<const Node*, std::size_t> uses_;
  std::unordered_map<const Node*, Part> parts_;
};

}  // namespace weir::model
