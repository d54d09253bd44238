#pragma once

#include <string_view>

#include "weir/core/value.h"

namespace weir {

/// A JSON document. Errors: `corrupt_data` with line and column; a key that one object has twice
/// and depths over 200 levels are refused.
Value parse_json(std::string_view text);

}  // namespace weir
