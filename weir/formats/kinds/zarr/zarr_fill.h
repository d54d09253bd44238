#pragma once

#include <cstddef>
#include <span>

#include "weir/core/recording.h"

namespace weir::formats {

/// Whether the conversion of the fill value to the array's type is defined.
bool fill_fits(StoredType type, double value);

/// Fills a chunk. Errors: `unsupported` for a type without such a value.
void fill_samples(StoredType type, double value, std::span<std::byte> samples);

}  // namespace weir::formats
