#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/core/error.h"
#include "weir/model/expr/matrix_operations_internal.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

constexpr int kMostElements = 4096;

[[noreturn]] void refuse(Op op, const std::string& what) {
  throw Error(ErrorCode::invalid_spec, fmt::format("{}: {}", name(op), what));
}

Element joined(const std::vector<Expr>& operands) {
  const bool any = std::any_of(operands.begin(), operands.end(),
                               [](const Expr& x) { return x.kind().element == Element::complex; });
  return any ? Element::complex : Element::real;
}

Expr node_of(Op op, Kind kind, std::vector<Expr> operands, int index = 0, int column = 0) {
  auto node = std::make_shared<Node>();
  node->op = op;
  node->kind = kind;
  node->operands = std::move(operands);
  node->index = index;
  node->column = column;
  return Expr(std::move(node));
}

void check_count(Op op, const std::vector<Expr>& operands, std::size_t count) {
  if (operands.size() != count) {
    refuse(op, fmt::format("takes {} operands, not {}", count, operands.size()));
  }
}

Expr made_of_elements(Op op, std::vector<Expr> elements, int rows, int columns) {
  const auto wanted = op == Op::matrix
                          ? static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)
                          : elements.size();
  if (elements.empty() || elements.size() > kMostElements ||
      (op == Op::matrix && (rows <= 0 || columns <= 0))) {
    refuse(op, fmt::format("must have 1 to {} elements", kMostElements));
  }
  if (elements.size() != wanted) {
    refuse(op, fmt::format("{} rows of {} need {} elements, not {}", rows, columns, wanted,
                           elements.size()));
  }
  for (const Expr& element : elements) {
    if (!element.kind().is_real() && !element.kind().is_complex()) {
      refuse(op,
             fmt::format("elements must be real or complex scalars, not {}", text(element.kind())));
    }
  }
  const Element kind = joined(elements);
  if (op == Op::vector) {
    const int size = static_cast<int>(elements.size());
    return node_of(op, Kind::vector(kind, size), std::move(elements));
  }
  return node_of(op, Kind::matrix(kind, rows, columns), std::move(elements));
}

Expr element_of(std::vector<Expr> operands, int row, int column) {
  check_count(Op::element, operands, 1);
  const Kind kind = operands[0].kind();
  if (kind.is_scalar()) {
    refuse(Op::element, fmt::format("a {} has no elements", text(kind)));
  }
  if (row < 0 || row >= kind.rows || column < 0 || column >= std::max(kind.columns, 1)) {
    refuse(Op::element, kind.is_vector()
                            ? fmt::format("[{}] lies outside a {}", row, text(kind))
                            : fmt::format("[{}, {}] lies outside a {}", row, column, text(kind)));
  }
  return node_of(Op::element, kind.of_element(), std::move(operands), row, column);
}

Expr product(std::vector<Expr> operands) {
  check_count(Op::matmul, operands, 2);
  const Kind a = operands[0].kind();
  const Kind b = operands[1].kind();
  if (!a.is_matrix() || b.is_scalar() || a.columns != b.rows) {
    refuse(Op::matmul, fmt::format("{} times {}: needs a matrix and a vector or matrix with as "
                                   "many rows as it has columns",
                                   text(a), text(b)));
  }
  const Element element = joined(operands);
  const Kind kind =
      b.is_vector() ? Kind::vector(element, a.rows) : Kind::matrix(element, a.rows, b.columns);
  return node_of(Op::matmul, kind, std::move(operands));
}

Expr inner_product(std::vector<Expr> operands) {
  check_count(Op::dot, operands, 2);
  const Kind a = operands[0].kind();
  const Kind b = operands[1].kind();
  if (!a.is_vector() || !b.is_vector() || a.rows != b.rows) {
    refuse(Op::dot,
           fmt::format("needs two vectors of one length, not {} and {}", text(a), text(b)));
  }
  const Kind kind{joined(operands), 0, 0};
  return node_of(Op::dot, kind, std::move(operands));
}

Expr transposed(std::vector<Expr> operands) {
  check_count(Op::transpose, operands, 1);
  const Kind a = operands[0].kind();
  if (!a.is_matrix()) {
    refuse(Op::transpose, fmt::format("needs a matrix, not a {}", text(a)));
  }
  return node_of(Op::transpose, Kind::matrix(a.element, a.columns, a.rows), std::move(operands));
}

Expr solution(std::vector<Expr> operands) {
  check_count(Op::solve, operands, 2);
  const Kind a = operands[0].kind();
  const Kind b = operands[1].kind();
  if (!a.is_matrix() || a.rows != a.columns || !b.is_vector() || b.rows != a.rows) {
    refuse(Op::solve, fmt::format("needs a square matrix and a vector of its size, not {} and {}",
                                  text(a), text(b)));
  }
  const Kind kind = Kind::vector(joined(operands), b.rows);
  return node_of(Op::solve, kind, std::move(operands));
}

}  // namespace

std::optional<Expr> shaped_arithmetic(Op op, const std::vector<Expr>& operands) {
  const bool shaped = std::any_of(operands.begin(), operands.end(),
                                  [](const Expr& x) { return !x.kind().is_scalar(); });
  if (!shaped) {
    return std::nullopt;
  }
  check_count(op, operands, op == Op::negate ? 1 : 2);
  const Kind a = operands[0].kind();
  if (op == Op::negate) {
    return node_of(op, a, operands);
  }
  const Kind b = operands[1].kind();
  const bool additive = op == Op::add || op == Op::subtract;
  const bool same = a.rows == b.rows && a.columns == b.columns;
  const bool scaled = (op == Op::multiply && (a.is_scalar() || b.is_scalar())) ||
                      (op == Op::divide && b.is_scalar());
  if ((additive && !same) || (!additive && !scaled) || a.is_boolean() || b.is_boolean()) {
    refuse(op, fmt::format("{} and {}: {}", text(a), text(b),
                           additive ? "shapes must be equal"
                                    : "one must be a number (matrix products are matmul and dot)"));
  }
  const Kind shape = a.is_scalar() ? b : a;
  return node_of(op, {joined(operands), shape.rows, shape.columns}, operands);
}

Expr make_shaped(Op op, std::vector<Expr> operands, int index, int column) {
  switch (op) {
    case Op::vector:
    case Op::matrix:
      return made_of_elements(op, std::move(operands), index, column);
    case Op::element:
      return element_of(std::move(operands), index, column);
    case Op::matmul:
      return product(std::move(operands));
    case Op::dot:
      return inner_product(std::move(operands));
    case Op::transpose:
      return transposed(std::move(operands));
    default:
      return solution(std::move(operands));
  }
}

Expr vector(std::vector<Expr> elements) {
  return make(Op::vector, std::move(elements));
}
Expr matrix(int rows, int columns, std::vector<Expr> elements) {
  return make(Op::matrix, std::move(elements), rows, columns);
}
Expr element(const Expr& vector, int index) {
  return make(Op::element, {vector}, index);
}
Expr element(const Expr& matrix, int row, int column) {
  return make(Op::element, {matrix}, row, column);
}
Expr matmul(const Expr& a, const Expr& b) {
  return make(Op::matmul, {a, b});
}
Expr dot(const Expr& a, const Expr& b) {
  return make(Op::dot, {a, b});
}
Expr transpose(const Expr& matrix) {
  return make(Op::transpose, {matrix});
}
Expr solve(const Expr& matrix, const Expr& right) {
  return make(Op::solve, {matrix, right});
}

}  // namespace weir::model
