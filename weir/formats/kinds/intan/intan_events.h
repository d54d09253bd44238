#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// "digitalin" and "digitalout": the 16 lines of the board's digital words, DIGITAL-IN-00 and on.
std::vector<EventStreamInfo> list_intan_events(const std::filesystem::path& path,
                                               const OpenOptions& options);
std::unique_ptr<EventSource> open_intan_events(const std::filesystem::path& path,
                                               const OpenOptions& options);

}  // namespace weir::formats
