#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/model/expr/expr.h"
#include "weir/model/expr/model_function.h"

/// The text form of expressions:
///
///     # a peak over a slope
///     t = (x - mu)/sigma
///     z*exp(-t^2/2) + (1 - z)*truncexpon(x, slope, 0, 1)
///
/// Statements end at `;` or at the end of a line, unless a bracket is open or an operator still
/// wants its operand. All but the last are definitions `name = …`; the last is the result.
///
/// In the order in which they bind: `or`; `and`; `not`; `< <= > >= == !=`; `+ -`; `* /`; the sign
/// `-`; `^` (also `**`; from the right); `v[0]`, `m[0, 1]`. A whole number as exponent makes an
/// integer power, anything else a real one, as does `power(x, 2)`.
/// Values: `1.5e3`, `2i` (imaginary), `pi`, `inf`, `nan`, `complex(1, 2)`; `[a, b]`,
/// `[[a, b], [c, d]]`; names of definitions, parameters and columns; `p.e p.px p.py p.pz` of a
/// four-momentum. Names that are no identifiers, or are words of the language, stand in backticks.
/// `tag(x, "A", "B")` adds tags; `column("x")` is a column even where a parameter has its name.
/// A sign before a number that stands by itself belongs to the number, and complex() of two such
/// numbers is a number: `-2` is one constant, `-(2)` a negation.
namespace weir::model {

/// What names in a text stand for.
struct Names {
  std::vector<Parameter> parameters = {};
  /// Names of columns, components of four-momenta as "p.e"; where absent, every name that is
  /// nothing else is a column.
  std::optional<std::vector<std::string>> columns = {};
  /// Definitions that stand before the text.
  std::vector<std::pair<std::string, Expr>> definitions = {};
  /// The functions that a text may call besides the operations.
  std::vector<const ModelFunction*> functions = model_functions();
};

/// Errors: `invalid_spec` with line and column, what was expected, and an excerpt of the text with
/// a caret below the place; unknown names with the nearest known one.
Expr parse(std::string_view text, const Names& names);

/// The text of an expression: parse(print(e), names_of(e)) is the same expression. Parts that are
/// used more than once, or lie very deep, become definitions, so that the text is linear in nodes.
std::string print(const Expr& root);

/// The names that the text of an expression uses: its parameters and functions.
Names names_of(const Expr& root);

}  // namespace weir::model
