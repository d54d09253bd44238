#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/writer.h"

namespace weir::formats {

/// What stands in front of the samples, for the frames written so far.
/// Range: always the same length. Null for no header.
using DenseHeader = std::vector<std::byte> (*)(const RecordingOutput& output, std::int64_t frames);

/// A writer of time-major little-endian samples behind `header`, with the sidecar `<path>.json`.
/// `stored`: how they lie in the file, if not as in the stream: int24 for int32 counts that fit.
std::unique_ptr<RecordingWriter> make_dense_writer(const RecordingOutput& output,
                                                   DenseHeader header,
                                                   std::optional<StoredType> stored = {});
std::size_t dense_writer_bytes(const RecordingOutput& output);

/// `<path>.json`.
std::filesystem::path sidecar_path(const std::filesystem::path& path);

}  // namespace weir::formats
