#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "weir/core/block.h"
#include "weir/core/recording.h"

namespace weir::formats {

/// Bytes one sample takes. Errors: `unsupported` for int12, whose samples share bytes.
std::int64_t stored_bytes(StoredType type);
/// Whether every value of the type is an int16.
bool fits_int16(StoredType type) noexcept;

/// How samples of a stream are written as they are. Range: int16, int32, float32.
StoredType stored_as(SampleType type);
/// What recordings of both types hold together: float32 where either has floats.
StoredType stored_together(StoredType a, StoredType b) noexcept;

/// Rows of packed little-endian samples, columns picked by `channels`, as float32 or int16.
/// Shape: `rows` is [out.frames(), row_samples]; out is [frames, channels.size()].
/// Range: int16 output only for types that fit it.
template <class T>
void unpack_rows(StoredType type, const std::byte* rows, std::int64_t row_samples,
                 std::span<const std::int64_t> channels, Block<T> out);

/// The same for columns that lie one after the other: out(f, c) is sample f of column c.
/// Shape: `columns` is [out.channels(), column_samples].
template <class T>
void unpack_columns(StoredType type, const std::byte* columns, std::int64_t column_samples,
                    Block<T> out);

/// Turns every sample of `bytes` between big- and little-endian.
void swap_byte_order(std::span<std::byte> bytes, std::int64_t sample_bytes) noexcept;

}  // namespace weir::formats
