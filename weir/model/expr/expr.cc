#include "weir/model/expr/expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "weir/core/error.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

constexpr std::array kNames = {
    "constant", "parameter", "column",        "momentum", "add",        "subtract",   "multiply",
    "divide",   "negate",    "power_integer", "power",    "exp",        "expm1",      "log",
    "log1p",    "sqrt",      "cbrt",          "sin",      "cos",        "tan",        "asin",
    "acos",     "atan",      "atan2",         "sinh",     "cosh",       "tanh",       "erf",
    "erfc",     "erfcx",     "lgamma",        "digamma",  "dawson",     "bessel_i0e", "bessel_i1e",
    "abs",      "min",       "max",           "less",     "less_equal", "equal",      "not",
    "and",      "or",        "select",        "complex",  "re",         "im",         "conj",
    "norm_sqr", "csqrt",     "clog",          "faddeeva", "vector",     "matrix",     "element",
    "matmul",   "dot",       "transpose",     "solve",    "call"};
static_assert(kNames.size() == static_cast<std::size_t>(Op::call) + 1);

/// In what two definitions of one name differ.
std::string difference(const Parameter& a, const Parameter& b) {
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "none";
  };
  const auto differ = [&](const char* field, const std::optional<double>& x,
                          const std::optional<double>& y) {
    return x == y ? std::string() : fmt::format("{} {} and {}", field, number(x), number(y));
  };
  for (const std::string& text :
       {differ("initial value", a.initial, b.initial), differ("lower bound", a.lower, b.lower),
        differ("upper bound", a.upper, b.upper), differ("scale", a.scale, b.scale),
        differ("start of the initial range", a.initial_lower, b.initial_lower),
        differ("end of the initial range", a.initial_upper, b.initial_upper)}) {
    if (!text.empty()) {
      return text;
    }
  }
  if (a.fixed != b.fixed) {
    return "once fixed, once free";
  }
  return a.periodic != b.periodic ? "once periodic, once not" : "unit or description";
}

bool any_common(const std::vector<std::string>& a, std::span<const std::string> b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& tag) {
    return std::find(b.begin(), b.end(), tag) != b.end();
  });
}

Expr zero_of(Kind kind) {
  Expr zero = kind.element == Element::complex ? constant(0, 0) : constant(0);
  if (kind.is_boolean()) {
    return less(zero, zero);  // false
  }
  if (kind.is_scalar()) {
    return zero;
  }
  const std::vector<Expr> elements(static_cast<std::size_t>(kind.size()), zero);
  return kind.is_vector() ? vector(elements) : matrix(kind.rows, kind.columns, elements);
}

}  // namespace

std::string_view name(Op op) {
  return kNames[static_cast<std::size_t>(op)];
}

Expr::Expr(double value) : Expr(constant(value)) {}

Kind Expr::kind() const {
  return node_->kind;
}

Expr Expr::tagged(std::vector<std::string> tags) const {
  auto copy = std::make_shared<Node>(*node_);
  for (std::string& tag : tags) {
    if (std::find(copy->tags.begin(), copy->tags.end(), tag) == copy->tags.end()) {
      copy->tags.push_back(std::move(tag));
    }
  }
  return Expr(std::move(copy));
}

// A chain of a million nodes must not need a million frames of stack to go: nodes that only this
// one holds are taken apart in a list.
Node::~Node() {
  std::vector<Expr> waiting = std::move(operands);
  while (!waiting.empty()) {
    const Expr last = std::move(waiting.back());
    waiting.pop_back();
    if (last.shared().use_count() == 1) {
      // Only this handle sees the node now.
      auto& own = const_cast<Node&>(last.node());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      waiting.insert(waiting.end(), std::make_move_iterator(own.operands.begin()),
                     std::make_move_iterator(own.operands.end()));
      own.operands.clear();
    }
  }
}

std::vector<const Node*> operands_first(std::span<const Expr> roots) {
  std::vector<const Node*> order;
  std::unordered_set<const Node*> done;
  std::vector<std::pair<const Node*, std::size_t>>
      path;  // a node and how many of its operands have been visited
  for (const Expr& root : roots) {
    if (done.insert(&root.node()).second) {
      path.emplace_back(&root.node(), 0);
    }
    while (!path.empty()) {
      const Node* node = path.back().first;
      if (path.back().second == node->operands.size()) {
        order.push_back(node);
        path.pop_back();
        continue;
      }
      const Node* next = &node->operands[path.back().second++].node();
      if (done.insert(next).second) {
        path.emplace_back(next, 0);
      }
    }
  }
  return order;
}

std::vector<std::shared_ptr<const Parameter>> parameters_of(std::span<const Expr> roots) {
  std::vector<std::shared_ptr<const Parameter>> found;
  std::unordered_map<std::string_view, const Parameter*> known;
  for (const Node* node : operands_first(roots)) {
    if (node->op != Op::parameter) {
      continue;
    }
    const auto [at, added] = known.emplace(node->parameter->name, node->parameter.get());
    if (added) {
      found.push_back(node->parameter);
    } else if (!(*at->second == *node->parameter)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("parameter {} is defined twice and differs: {}",
                              node->parameter->name, difference(*at->second, *node->parameter)));
    }
  }
  return found;
}

std::string momentum_column(std::string_view particle, MomentumComponent component) {
  constexpr std::array kComponents = {"e", "px", "py", "pz"};
  return fmt::format("{}.{}", particle, kComponents[static_cast<std::size_t>(component)]);
}

std::vector<std::string> columns_of(std::span<const Expr> roots) {
  std::vector<std::string> found;
  std::unordered_set<std::string> known;
  for (const Node* node : operands_first(roots)) {
    if (node->op != Op::column && node->op != Op::momentum) {
      continue;
    }
    std::string column =
        node->op == Op::column
            ? node->name
            : momentum_column(node->name, static_cast<MomentumComponent>(node->index));
    if (known.insert(column).second) {
      found.push_back(std::move(column));
    }
  }
  return found;
}

Expr project(const Expr& root, std::span<const std::string> tags) {
  std::unordered_map<const Node*, Expr> made;
  for (const Node* node : operands_first({&root, 1})) {
    if (!node->tags.empty() && !any_common(node->tags, tags)) {
      made.emplace(node, zero_of(node->kind));
      continue;
    }
    auto copy = std::make_shared<Node>(*node);
    // A subtree that is asked for survives whole, whatever its own parts are tagged.
    const bool whole = !node->tags.empty();
    if (!whole) {
      for (Expr& operand : copy->operands) {
        operand = made.at(&operand.node());
      }
    }
    made.emplace(node, Expr(std::move(copy)));
  }
  return made.at(&root.node());
}

}  // namespace weir::model
