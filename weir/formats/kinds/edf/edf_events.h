#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// "annotations": the texts of all annotation signals, on the clock of the stream that `open` would
/// take, or at 1,000,000 samples a second in a file without samples. "status": the bits of
/// BioSemi's Status channel. Of a file of many records the annotations are not counted.
std::vector<EventStreamInfo> list_edf_events(const std::filesystem::path& path,
                                             const OpenOptions& options);
std::unique_ptr<EventSource> open_edf_events(const std::filesystem::path& path,
                                             const OpenOptions& options);

}  // namespace weir::formats
