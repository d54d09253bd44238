#pragma once

#include <string_view>

#include "weir/core/value.h"

namespace weir::formats {

/// The value that `name = …` gives a name in a file of Python assignments: numbers, texts, lists,
/// tuples, dicts (keys become texts), None, True, False, `range(…)`, and `list(…)` or `np.int64(…)`
/// around those. Comments and other assignments are passed over; nothing is run. Range: nested at
/// most 32 deep, at most a million values. Errors: `corrupt_data` with the line; `not_found` when
/// the name is not assigned.
Value python_literal(std::string_view text, std::string_view name);

}  // namespace weir::formats
