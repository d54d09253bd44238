#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// The table that `csv` writes, the nine columns of dspk (no segment, no polarity), or any other
/// with `onset_sample` and `channel` or `channel_name`. Without `raw.rate_hz` the rate is the one
/// that all of `onset_s` was made with.
/// Errors: `corrupt_data` naming line and column; `invalid_spec` when no times tell a rate and
/// `raw.rate_hz` is not given.
std::unique_ptr<EventSource> open_csv_events(const std::filesystem::path& path,
                                             const OpenOptions& options);
/// The one stream of a table. Of a long file only the first rows are read.
std::vector<EventStreamInfo> list_csv_events(const std::filesystem::path& path,
                                             const OpenOptions& options);

}  // namespace weir::formats
