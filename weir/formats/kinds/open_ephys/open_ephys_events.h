#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// The entries of `events` in structure.oebin, by their folders: edges of digital lines and texts.
/// Their sample numbers count on the clock of the stream they belong to.
std::vector<EventStreamInfo> list_open_ephys_events(const std::filesystem::path& path,
                                                    const OpenOptions& options);
std::unique_ptr<EventSource> open_open_ephys_events(const std::filesystem::path& path,
                                                    const OpenOptions& options);

}  // namespace weir::formats
