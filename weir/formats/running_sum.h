#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "weir/core/recording.h"

namespace weir::formats {

/// Undoes differences along the last axis of [rows, row_samples]: each sample but the first of its
/// row becomes the sum of those before and itself. Integers wrap around, floats are added in order.
/// Range: any type with a size of its own but float16 and int24.
void sum_along_rows(StoredType type, std::span<std::byte> samples, std::int64_t row_samples);

/// The same along the first axis: each row but the first is added to the one before it.
void sum_across_rows(StoredType type, std::span<std::byte> samples, std::int64_t row_samples);

/// Whether the type can be summed.
bool can_be_summed(StoredType type) noexcept;

}  // namespace weir::formats
