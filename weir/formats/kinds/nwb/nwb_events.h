#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/event_source.h"
#include "weir/formats/format.h"
#include "weir/formats/hdf5/hdf5_file.h"

namespace weir::formats {

/// "units" (spike times, a channel for each unit) and each TimeIntervals of `intervals`, as samples
/// of the largest ElectricalSeries; without one, of `options.raw` `rate_hz` from 0 s on.
/// Errors: as `open` of the format; `unsupported` where neither tells a rate.
std::vector<EventStreamInfo> list_nwb_events(const std::filesystem::path& path,
                                             const OpenOptions& options);
std::unique_ptr<EventSource> open_nwb_events(const std::filesystem::path& path,
                                             const OpenOptions& options);
/// The same of a file that is open; errors name `path`.
std::vector<EventStreamInfo> list_nwb_events(const Hdf5File& file,
                                             const std::filesystem::path& path,
                                             const OpenOptions& options);
std::unique_ptr<EventSource> open_nwb_events(const Hdf5File& file,
                                             const std::filesystem::path& path,
                                             const OpenOptions& options);

}  // namespace weir::formats
