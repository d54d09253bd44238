#pragma once

#include <memory>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/kinds/zarr/zarr_array.h"

namespace weir::formats {

/// A recording whose segments are arrays of one type: [time, channel], or [channel, time] where
/// `info.order` is channel_major, or [time] alone.
std::unique_ptr<RecordingSource> make_zarr_source(std::vector<ZarrArray> segments,
                                                  RecordingInfo info);

}  // namespace weir::formats
