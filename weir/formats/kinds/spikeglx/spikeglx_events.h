#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// "sync": the lines SY0 to SY15 of a probe's or OneBox's own word (a probe's sync input is SY6);
/// "digital": the lines XD0, XD1, … of the words of digital inputs, 16 a word.
/// Of a run those of every stream, "imec0.ap sync", over all its files.
std::vector<EventStreamInfo> list_spikeglx_events(const std::filesystem::path& path,
                                                  const OpenOptions& options);
std::unique_ptr<EventSource> open_spikeglx_events(const std::filesystem::path& path,
                                                  const OpenOptions& options);

}  // namespace weir::formats
