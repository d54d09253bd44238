#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// "markers": those of the .vmrk but the ones that start segments, of a recording's .vhdr, .vmrk or
/// samples.
std::vector<EventStreamInfo> list_brainvision_events(const std::filesystem::path& path,
                                                     const OpenOptions& options);
std::unique_ptr<EventSource> open_brainvision_events(const std::filesystem::path& path,
                                                     const OpenOptions& options);

/// The file of markers that a header names, or the one named as it is; empty when neither is there.
std::filesystem::path brainvision_marker_file(const std::filesystem::path& header,
                                              const std::string& name);

}  // namespace weir::formats
