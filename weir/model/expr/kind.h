#pragma once

#include <string>

namespace weir::model {

/// What the elements of a value are.
enum class Element { boolean, real, complex };

/// The kind of an expression: a scalar, a vector or a matrix of one sort of element. Kinds are
/// fixed when an expression is built: nothing turns complex, or NaN, because of the numbers that
/// meet it later.
struct Kind {
  Element element = Element::real;
  int rows = 0;     ///< 0 for a scalar.
  int columns = 0;  ///< 0 for a scalar and a vector.

  static constexpr Kind boolean() { return {Element::boolean, 0, 0}; }
  static constexpr Kind real() { return {Element::real, 0, 0}; }
  static constexpr Kind complex() { return {Element::complex, 0, 0}; }
  static constexpr Kind vector(Element element, int size) { return {element, size, 0}; }
  static constexpr Kind matrix(Element element, int rows, int columns) {
    return {element, rows, columns};
  }

  constexpr bool is_scalar() const { return rows == 0; }
  constexpr bool is_vector() const { return rows > 0 && columns == 0; }
  constexpr bool is_matrix() const { return columns > 0; }
  constexpr bool is_real() const { return is_scalar() && element == Element::real; }
  constexpr bool is_complex() const { return is_scalar() && element == Element::complex; }
  constexpr bool is_boolean() const { return is_scalar() && element == Element::boolean; }
  /// Elements in all.
  constexpr int size() const { return rows == 0 ? 1 : rows * (columns == 0 ? 1 : columns); }
  constexpr Kind of_element() const { return {element, 0, 0}; }

  friend constexpr bool operator==(const Kind&, const Kind&) = default;
};

/// "Real", "Bool", "Complex", "Vector[3]", "complex Matrix[2x2]".
std::string text(Kind kind);

}  // namespace weir::model
