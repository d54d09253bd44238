#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Zarr version 3 stores in a folder: recordings (`weir_recording = 1`) written with shards and
/// read; plain arrays [time, channel] read; event groups (`weir_events = 1`) written, on their own
/// or inside a recording's store (`rec.zarr/events/name`).
const Format& zarr_format();

}  // namespace weir::formats
