#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/value.h"
#include "weir/model/expr/expr.h"
#include "weir/model/expr/model_function.h"

/// The JSON form of expressions: every node once, operands before those that use them.
///
///     {"weir_expression": 1,
///      "parameters": [{"name": "mu", "initial": 1.5, "lower": 0.0}],
///      "nodes": [{"op": "column", "name": "x"},
///                {"op": "parameter", "name": "mu"},
///                {"op": "subtract", "operands": [0, 1], "tags": ["A"]}],
///      "roots": [2]}
///
/// A parameter carries the fields of Parameter that are set. Beside "op", "operands" and "tags" a
/// node has what its operation needs:
/// constant "value", where complex also "imaginary" (NaN and infinities as "nan", "inf", "-inf");
/// parameter, column "name"; momentum "name" and "component" e, px, py or pz; power_integer
/// "exponent"; element "index": [row] or [row, column]; matrix "rows" and "columns"; call
/// "function".
namespace weir::model {

/// Errors: `invalid_spec` where a name is no UTF-8 or a parameter's name has two definitions.
Value json_form(std::span<const Expr> roots);

/// The roots of a document. Functions are those that it may call.
/// Errors: `invalid_spec` naming node and field, "nodes[3].operands[1]: …".
std::vector<Expr> read_json_form(
    const Value& document, const std::vector<const ModelFunction*>& functions = model_functions());

/// The same as text; `corrupt_data` where it is no JSON.
std::string print_json(std::span<const Expr> roots);
std::vector<Expr> parse_json_form(
    std::string_view text, const std::vector<const ModelFunction*>& functions = model_functions());

}  // namespace weir::model
