#pragma once

#include <memory>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/kinds/zarr/zarr_array.h"

namespace weir::formats {

/// A recording whose segments are arrays [time, channel] of one type.
/// Chunks are decoded in parallel in the caller's oneTBB arena.
std::unique_ptr<RecordingSource> make_zarr_source(std::vector<ZarrArray> segments,
                                                  RecordingInfo info);

}  // namespace weir::formats
