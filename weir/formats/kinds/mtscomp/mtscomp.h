#pragma once

#include <filesystem>
#include <memory>

#include "weir/core/recording.h"
#include "weir/formats/format.h"

namespace weir::formats {

/// Recordings compressed by mtscomp, `x.cbin` with its `x.ch` (read).
const Format& mtscomp_format();

/// The compressed recording at `cbin`, whose channels, rate and start `info` already tells; its
/// only segment is given its frames here, and warnings are added.
/// Errors: those of `mtscomp_format().open`; `corrupt_data` when it has other channels.
std::unique_ptr<RecordingSource> open_compressed(const std::filesystem::path& cbin,
                                                 RecordingInfo info);

}  // namespace weir::formats
