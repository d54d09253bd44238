#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weir/core/recording.h"

namespace weir::testing {

/// A recording in memory: what a file would hold, without a file. With `info.stored == int16` it
/// also reads as stored integers.
class MemoryRecording final : public RecordingSource {
 public:
  /// `counts` holds the samples of each segment of `info`, frame by frame.
  MemoryRecording(RecordingInfo info, std::vector<std::vector<float>> counts);

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override;
  bool stored_as_int16() const noexcept override { return info_.stored == StoredType::int16; }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override;

 private:
  RecordingInfo info_;
  std::vector<std::vector<float>> counts_;
};

/// `channels` microvolt channels named ch0, ch1, … with gain 1, in one segment of `frames` frames
/// that starts at 0 s.
RecordingInfo make_recording_info(double rate_hz, std::int64_t channels, std::int64_t frames,
                                  StoredType stored = StoredType::int16);

/// A recording of `info` whose count at (segment, frame, channel) is 1000 segment + 10 frame +
/// channel + `base`, wrapped into int16: any sample tells where it comes from while it is short.
std::unique_ptr<RecordingSource> counting_recording(RecordingInfo info, std::int64_t base = 0);

}  // namespace weir::testing
