#pragma once

#include <string>
#include <vector>

#include "weir/core/value.h"
#include "weir/model/expr/parameter.h"

namespace weir::model {

/// The fields that are set.
Value parameter_value(const Parameter& parameter);

/// Errors: `invalid_spec` naming the field, or what check(Parameter) finds.
Parameter read_parameter(const Value& value);

/// Throws invalid_spec where `value` is no object or has a key that is not among `known`.
void check_keys(const Value& value, const std::vector<std::string>& known);

}  // namespace weir::model
