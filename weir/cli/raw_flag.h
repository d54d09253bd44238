#pragma once

#include <string>
#include <vector>

#include "weir/core/value.h"

namespace weir::cli {

/// `--raw channels=384 --raw rate_hz=30000` as the object a `read` node's `raw` field holds.
/// Errors: `invalid_spec` quoting a word without "=".
Value raw_options(const std::vector<std::string>& words);

/// The help text of every command's `raw` flag.
inline constexpr const char* kRawDoc =
    "For raw files without a sidecar, once per setting: channels=384, rate_hz=30000, dtype=int16, "
    "order, gain, offset, unit, header_bytes.";

}  // namespace weir::cli
