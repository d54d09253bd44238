#pragma once

#include <string_view>

#include "weir/core/value.h"

namespace weir::formats {

/// A TOML document; tables keep the order in which they were written.
/// Errors: `invalid_spec` with line and column; dates and non-finite numbers are refused.
Value parse_toml(std::string_view text);

}  // namespace weir::formats
