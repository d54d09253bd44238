#pragma once

#include <memory>

#include "weir/formats/writer.h"

namespace weir::formats {

/// A store `weir_recording = 1` with one array for each segment, a shard at a time: its chunks are
/// encoded in parallel in the caller's oneTBB arena, its file is written whole.
std::unique_ptr<RecordingWriter> make_zarr_writer(const RecordingOutput& output);

}  // namespace weir::formats
