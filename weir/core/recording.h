#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/block.h"
#include "weir/core/stream.h"

namespace weir {

/// How samples lie in a file.
enum class StoredType {
  int8,
  uint8,
  int16,
  uint16,
  int24,
  int32,
  uint32,
  int64,
  float32,
  float64,
  int12,
  uint64,
  float16
};
enum class SampleOrder { time_major, channel_major };

std::string_view name(StoredType type) noexcept;
std::string_view name(SampleOrder order) noexcept;
/// The type called `text` ("int16", "float32", …). Errors: `invalid_spec` listing the names.
StoredType stored_type(std::string_view text);
SampleOrder sample_order(std::string_view text);

/// Everything about a recording but its samples.
struct RecordingInfo {
  std::string name;    ///< File name without folder.
  std::string format;  ///< Name of the format that opened it.
  SampleRate rate;     ///< Rows per second; per Hz where they run along frequency.
  std::vector<Channel> channels;
  std::vector<Segment> segments;
  StoredType stored = StoredType::int16;
  SampleOrder order = SampleOrder::time_major;
  Axis axis = Axis::time_s;
  std::string start_time;  ///< ISO 8601, empty when unknown.
  std::map<std::string, std::string> metadata;
  std::vector<std::string> warnings;  ///< What was odd about the file, each naming it.

  std::int64_t channel_count() const noexcept { return static_cast<std::int64_t>(channels.size()); }
  std::int64_t total_frames() const noexcept;
};

/// Random access to the samples of one recording.
/// Threads: every member may be called from several threads at once.
class RecordingSource {
 public:
  virtual ~RecordingSource() = default;
  virtual const RecordingInfo& info() const noexcept = 0;

  /// Frames [first, first + out.frames()) of a segment as float32 counts (gain and offset not
  /// applied). Shape:  out is [frames, channels.size()]; column i is channel `channels[i]`. Nothing
  /// past the last column is written. Errors: `io`, `corrupt_data` naming file and place.
  virtual void read(std::int64_t segment, std::int64_t first,
                    std::span<const std::int64_t> channels, Block<float> out) const = 0;

  /// Whether the stored numbers are int16 (or fit it exactly), so that `read_stored` may be called.
  virtual bool stored_as_int16() const noexcept = 0;
  /// As `read`, in stored integers.
  virtual void read_stored(std::int64_t segment, std::int64_t first,
                           std::span<const std::int64_t> channels,
                           Block<std::int16_t> out) const = 0;

  /// A read of this many frames at a multiple of it costs the least (a chunk of the file); 0 for no
  /// preference.
  virtual std::int64_t preferred_frames() const noexcept { return 0; }
  /// Anonymous memory the source may hold while reading blocks of `frames` frames.
  virtual std::size_t cache_bytes(std::int64_t frames) const noexcept {
    static_cast<void>(frames);
    return 0;
  }
};

}  // namespace weir
