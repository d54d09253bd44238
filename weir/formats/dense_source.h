#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "weir/core/recording.h"
#include "weir/formats/input_file.h"

namespace weir::formats {

/// Samples of one size lying side by side in one file.
struct DenseLayout {
  std::int64_t first_byte = 0;
  std::int64_t end_byte = 0;  ///< Where samples end by the file's own account.
  bool big_endian = false;
  /// Frames a channel takes in a channel-major file, also when the file was cut short.
  std::int64_t channel_stride = 0;
};

inline constexpr std::int64_t kMaxChannels = std::int64_t{1} << 20;
/// `channels`, when a recording may have that many. Errors: `invalid_spec`.
std::int64_t checked_channels(std::int64_t channels);

/// A recording whose samples lie dense in a file (raw, npy, a member of npz), one segment after the
/// other. `info.stored` and `info.order` say how; `info.segments` what the file claims: it is cut
/// to the whole frames that are there, with a warning that names both sizes. Empty `info.segments`
/// means one segment, as long as the file. Range: `layout.end_byte` may lie past the file's end.
std::unique_ptr<RecordingSource> make_dense_source(InputFile file, const DenseLayout& layout,
                                                   RecordingInfo info);

}  // namespace weir::formats
