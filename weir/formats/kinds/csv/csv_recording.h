#pragma once

#include <cstddef>
#include <memory>

#include "weir/formats/writer.h"

namespace weir::formats {

/// A recording as text: the column `time_s` or `frequency_hz`, then one for each channel with its
/// physical values; where several spectra follow each other a column `segment` tells them apart.
/// Numbers are the shortest that read back as the same. Units, rate and segments stand in the
/// sidecar, whose first member is `weir_csv`.
std::unique_ptr<RecordingWriter> make_csv_recording_writer(const RecordingOutput& output);

/// What it holds.
std::size_t csv_recording_bytes(const RecordingOutput& output);

}  // namespace weir::formats
