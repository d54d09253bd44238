#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// The annotators beside a record, by their endings: "atr", "qrs", …
std::vector<EventStreamInfo> list_wfdb_events(const std::filesystem::path& path,
                                              const OpenOptions& options);
/// A path with an annotator's ending opens that one.
std::unique_ptr<EventSource> open_wfdb_events(const std::filesystem::path& path,
                                              const OpenOptions& options);

/// Whether a path has an annotator's ending. They have no first bytes of their own.
bool is_wfdb_annotator(const std::filesystem::path& path);

}  // namespace weir::formats
