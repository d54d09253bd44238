#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/input_file.h"

namespace weir::formats {

/// Where the samples of signals of one rate lie in the data records.
struct EdfLayout {
  std::int64_t header_bytes = 0;
  std::int64_t record_bytes = 0;
  std::int64_t samples = 0;                 ///< Of each signal in a record.
  std::vector<std::int64_t> channel_bytes;  ///< Where each channel starts in a record.
  std::vector<std::int64_t> first_records;  ///< Of each segment.
};

/// The signals of one rate. `info.stored` is int16 or int24. Range: every record of every segment
/// lies in the file.
std::unique_ptr<RecordingSource> make_edf_source(InputFile file, EdfLayout layout,
                                                 RecordingInfo info);

}  // namespace weir::formats
