#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "weir/formats/kinds/wfdb/wfdb_header.h"
#include "weir/formats/kinds/wfdb/wfdb_signal_file.h"

namespace weir::formats {

/// A record of one segment with its files.
struct WfdbRecord {
  WfdbHeader header;
  std::vector<WfdbSignalFile> files;
  std::vector<std::size_t> file_of;     ///< By signal.
  std::vector<std::int64_t> sample_of;  ///< Where in a frame of its file a signal's samples start.
  std::int64_t frames = 0;              ///< What every signal has, skews taken off.
};

/// What is odd about sizes, checksums and first values goes to `warnings`; sums are taken of files
/// up to 64 MiB.
/// Errors: those of the files; `corrupt_data` for signals that share a file but not its format.
WfdbRecord open_wfdb_record(WfdbHeader header, const std::filesystem::path& folder,
                            std::vector<std::string>& warnings);

}  // namespace weir::formats
