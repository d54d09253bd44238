#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// The event group that `path` is, or those in the group `events` of the store that it is, by name.
/// Rows stored without times lie on the clock of the recording they are in, else on one that starts
/// with sample 0.
std::vector<EventStreamInfo> list_zarr_events(const std::filesystem::path& path,
                                              const OpenOptions& options);
/// Errors: as `read_zarr_events`; `corrupt_data` for segments that contradict themselves.
std::unique_ptr<EventSource> open_zarr_events(const std::filesystem::path& path,
                                              const OpenOptions& options);

/// What an event group says of its segments: when they start is in none of its columns.
Value zarr_event_segments(const std::vector<Segment>& segments);

}  // namespace weir::formats
