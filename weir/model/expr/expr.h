#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/model/expr/kind.h"
#include "weir/model/expr/parameter.h"

namespace weir::model {

struct Node;
struct ModelFunction;

/// What a node does. Operand kinds and results stand beside the functions that build them
/// (operations.h).
enum class Op : std::uint8_t {
  // leaves
  constant,
  parameter,
  column,
  momentum,
  // arithmetic
  add,
  subtract,
  multiply,
  divide,
  negate,
  power_integer,
  power,
  // functions of reals (exp, sin, cos, sinh, cosh also of complex values)
  exp,
  expm1,
  log,
  log1p,
  sqrt,
  cbrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  erf,
  erfc,
  erfcx,
  lgamma,
  digamma,
  dawson,
  bessel_i0e,
  bessel_i1e,
  absolute,
  minimum,
  maximum,
  // truth values
  less,
  less_equal,
  equal,
  logical_not,
  logical_and,
  logical_or,
  select,
  // complex values
  complex,
  real_part,
  imaginary_part,
  conjugate,
  norm_squared,
  csqrt,
  clog,
  faddeeva,
  // vectors and matrices
  vector,
  matrix,
  element,
  matmul,
  dot,
  transpose,
  solve,
  // a model function of the registry
  call,
};

/// The name of an operation in the text form ("add", "exp", "norm_sqr").
std::string_view name(Op op);

/// Which component of a four-momentum a leaf is.
enum class MomentumComponent : std::uint8_t { e, px, py, pz };

/// An expression over event columns and parameters: a handle on a node of an immutable graph that
/// may share subtrees. Copies share; building costs one node; destruction and traversals do not
/// recurse, so graphs may be as deep as they like.
class Expr {
 public:
  Expr(double value);  // NOLINT(google-explicit-constructor): numbers are expressions
  explicit Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  const Node& node() const { return *node_; }
  const std::shared_ptr<const Node>& shared() const { return node_; }
  Kind kind() const;

  /// The same expression with tags added (project() keeps or drops tagged subtrees).
  Expr tagged(std::vector<std::string> tags) const;

 private:
  std::shared_ptr<const Node> node_;
};

/// One node. Immutable once built.
struct Node {
  Op op = Op::constant;
  Kind kind;
  std::vector<Expr> operands;
  double value = 0;      ///< constant: the real part.
  double imaginary = 0;  ///< constant: the imaginary part; 0 for a real one.
  int index = 0;         ///< power_integer: exponent. element: row. momentum: the component.
  int column = 0;        ///< element of a matrix: its column.
  std::string name;      ///< column: its name. momentum: the particle's.
  std::shared_ptr<const Parameter> parameter;  ///< parameter.
  const ModelFunction* function = nullptr;     ///< call: lives as long as the program.
  std::vector<std::string> tags;

  Node() = default;
  Node(const Node&) = default;
  Node(Node&&) = default;
  Node& operator=(const Node&) = default;
  Node& operator=(Node&&) = default;
  ~Node();
};

/// Every node that `roots` reach, each once, operands before those that use them. Iterative.
std::vector<const Node*> operands_first(std::span<const Expr> roots);

/// The parameters an expression names, in the order in which operands_first meets them.
/// Throws invalid_spec where one name has two definitions, saying in what they differ.
std::vector<std::shared_ptr<const Parameter>> parameters_of(std::span<const Expr> roots);

/// The columns an expression reads, without repetition, in the order of first use: names of
/// columns, and for a four-momentum p its components as "p.e", "p.px", "p.py", "p.pz".
std::vector<std::string> columns_of(std::span<const Expr> roots);

/// "p.e" of particle p: the name under which columns_of and datasets speak of a component.
std::string momentum_column(std::string_view particle, MomentumComponent component);

/// The graph with every tagged subtree that has none of `tags` replaced by a zero of its kind.
/// Untagged nodes stay.
Expr project(const Expr& root, std::span<const std::string> tags);

}  // namespace weir::model
