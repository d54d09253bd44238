#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "weir/core/stream.h"

namespace weir::formats {

/// The segments of `frames` frames, by the sample numbers beside them: sample_numbers.npy, or whole
/// numbers in timestamps.npy as before version 0.6. Segments start at sample number / rate.
/// Numbers that are missing are taken to follow the last, and what is odd is told in `warnings`.
/// Range: numbers that grow; a jump forth and the same jump back between two looks is not seen.
/// Cost:   two reads where there is no gap, about 2 log2(frames) for each gap.
/// Errors: `corrupt_data` for more than 2^20 gaps or times that are none.
std::vector<Segment> open_ephys_segments(const std::filesystem::path& folder, std::int64_t frames,
                                         const SampleRate& rate,
                                         std::vector<std::string>& warnings);

}  // namespace weir::formats
