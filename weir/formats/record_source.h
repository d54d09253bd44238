#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/input_file.h"

namespace weir::formats {

/// Where channels of one rate lie in a file of equal records, each of which holds a stretch of
/// every channel, one after the other.
struct RecordLayout {
  std::int64_t header_bytes = 0;  ///< In front of the first record.
  std::int64_t record_bytes = 0;
  std::int64_t samples = 0;                 ///< Of each channel in a record.
  std::vector<std::int64_t> channel_bytes;  ///< Where each channel starts in a record.
  std::vector<std::int64_t> first_frames;   ///< Of each segment, among all frames of all records.
};

/// The channels of one rate; `info.stored` is the type of all. However large a record, no more than
/// 1 MiB is held. Range: every frame of every segment lies in a record that is whole in the file.
std::unique_ptr<RecordingSource> make_record_source(InputFile file, RecordLayout layout,
                                                    RecordingInfo info);

}  // namespace weir::formats
