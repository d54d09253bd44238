#pragma once

#include <string>
#include <vector>

#include "weir/core/value.h"

namespace weir::cli {

/// The words of a repeated flag, `channels=384` `rate_hz=30000`, as one object; null for none.
/// What reads as a number or bool becomes one, `[1173.2, 1332.5]` a list of such.
/// Errors: `invalid_spec` quoting a word without "=", led by `flag`.
Value settings(const std::string& flag, const std::vector<std::string>& words);

/// The help text of every command's `raw` flag.
inline constexpr const char* kRawDoc =
    "For raw files without a sidecar, once per setting: channels=384, rate_hz=30000, dtype=int16, "
    "order, gain, offset, unit, header_bytes.";

}  // namespace weir::cli
