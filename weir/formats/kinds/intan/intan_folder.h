#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "weir/core/recording.h"
#include "weir/formats/kinds/intan/intan_header.h"

namespace weir::formats {

/// Whether the folder has samples of the stream: one file for all its channels, or one a channel.
bool has_intan_stream(const std::filesystem::path& folder, const IntanStream& stream);

/// The stream of a folder whose header is `header`, in files beside it. `info` has name, format and
/// metadata. Errors: `not_found`, `corrupt_data`, naming the file.
std::unique_ptr<RecordingSource> open_intan_folder(const std::filesystem::path& folder,
                                                   const IntanHeader& header, IntanStream stream,
                                                   RecordingInfo info);

}  // namespace weir::formats
