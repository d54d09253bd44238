#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/event_source.h"
#include "weir/formats/format.h"
#include "weir/formats/tables/table_file.h"

namespace weir::formats {

/// The one event stream that a table file is, without its rows. A table that another program wrote
/// has the columns `onset_sample` and `channel` or `channel_name` at least, of any type of number;
/// its rate is `options.raw` `rate_hz` when its metadata tells none.
/// Errors: `corrupt_data`, `unsupported`, `invalid_spec`, each naming file and column.
std::vector<EventStreamInfo> list_table_events(const std::filesystem::path& path, TableFile kind,
                                               const OpenOptions& options);
std::unique_ptr<EventSource> open_table_events(const std::filesystem::path& path, TableFile kind,
                                               const OpenOptions& options);

}  // namespace weir::formats
