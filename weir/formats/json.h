#pragma once

#include <string>
#include <string_view>

#include "weir/core/value.h"

namespace weir::formats {

/// A JSON document. Errors: `corrupt_data` with line and column.
Value parse_json(std::string_view text);

}  // namespace weir::formats
