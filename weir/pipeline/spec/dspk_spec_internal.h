#pragma once

#include "weir/core/value.h"

namespace weir::pipeline {

/// A document with `dspk_pipeline = 1`, the pipelines of the system this one follows, as a
/// weir_pipeline document with that system's defaults. Window length is dropped: here no result
/// depends on it.
/// Errors: `invalid_spec` with every op and key that has no counterpart here, by name.
Value from_dspk(const Value& document);

}  // namespace weir::pipeline
