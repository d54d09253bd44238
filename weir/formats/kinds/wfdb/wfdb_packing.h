#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "weir/core/recording.h"

namespace weir::formats {

/// Whether signal files are read in this format.
bool is_wfdb_format(std::int64_t format) noexcept;

/// Whether a signal file of this format is a FLAC file, whose bytes are not packed samples.
bool is_wfdb_flac(int format) noexcept;

/// Samples that share their bytes come in blocks: two of format 212 in three bytes.
struct WfdbBlock {
  std::int64_t samples = 1;
  std::int64_t bytes = 1;
};
WfdbBlock wfdb_block(int format) noexcept;

/// Whole samples in `bytes`, from the start of a block on; the last block may be cut.
std::int64_t wfdb_samples(int format, std::int64_t bytes) noexcept;
/// Bytes of so many samples from the start of a block on. Saturates.
std::int64_t wfdb_bytes(int format, std::int64_t samples) noexcept;

/// The type its samples are told to have; differences (format 8) have their sums'.
StoredType wfdb_stored(int format) noexcept;
/// The number that stands for "no sample here"; format 8 has none.
std::optional<std::int32_t> wfdb_invalid(int format) noexcept;

/// Sample `skipped` of the blocks in `bytes` and those that follow it. Differences stay such.
/// Range: `bytes` holds them, with what is left of the last block's bytes readable as zeros.
/// Source: WFDB Applications Guide, signal(5).
void unpack_wfdb(int format, std::span<const std::byte> bytes, std::int64_t skipped,
                 std::span<std::int32_t> samples) noexcept;

}  // namespace weir::formats
