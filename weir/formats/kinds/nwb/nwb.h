#pragma once

#include <filesystem>
#include <memory>

#include "weir/formats/format.h"
#include "weir/formats/hdf5/hdf5_file.h"

namespace weir::formats {

/// Neurodata Without Borders: each `ElectricalSeries` of acquisition and processing is a stream
/// (read), through the library weir_hdf5.
const Format& nwb_format();

/// The recording of a file that is open; errors name `path`.
std::unique_ptr<RecordingSource> open_nwb(std::shared_ptr<const Hdf5File> file,
                                          const std::filesystem::path& path,
                                          const OpenOptions& options);

}  // namespace weir::formats
