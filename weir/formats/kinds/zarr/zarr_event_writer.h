#pragma once

#include <memory>

#include "weir/formats/writer.h"

namespace weir::formats {

/// A group `weir_events = 1`: one array for each column, in chunks of 65536 rows.
std::unique_ptr<EventWriter> make_zarr_event_writer(const EventOutput& output);

}  // namespace weir::formats
