#pragma once

#include <cstdint>
#include <string>

#include "weir/core/recording.h"
#include "weir/formats/hdf5/hdf5_file.h"

namespace weir::formats {

/// Rate and segments of a series: from `starting_time` and its rate, else from `timestamps`, where
/// a step that is more than half a sample off starts a segment at its own time.
/// Errors: `corrupt_data` naming the array.
/// Cost: of timestamps, the first 1000 and about 2 log2(frames) for each gap are read.
void read_nwb_clock(const Hdf5File& file, const std::string& series, std::int64_t frames,
                    RecordingInfo& info);

}  // namespace weir::formats
