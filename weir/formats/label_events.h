#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/formats/event_source.h"

namespace weir::formats {

/// A frame of a segment.
struct ClockPlace {
  std::uint32_t segment = 0;
  std::int64_t frame = 0;
};

/// The frame nearest to a time on the recording's clock: of the last segment that has begun by
/// then, to half a frame. It may lie past the segment's end, in a gap or behind the recording.
/// Nothing before the first segment, for NaN and for what is no time in a recording.
std::optional<ClockPlace> place_at(const StreamInfo& stream, long double seconds);

/// Annotations as they are found: texts become channels, times frames.
class LabelEvents {
 public:
  /// `info.table.stream` has rate and segments.
  explicit LabelEvents(EventStreamInfo info) : info_(std::move(info)) {}

  /// A text over [onset_s, onset_s + duration_s] of the recording's clock. What lies before the
  /// recording is left out and counted. Errors: `unsupported` beyond `kMostLabels` different texts
  /// or `kMostHeldEvents` rows; `corrupt_data` for a negative duration.
  void add(std::string_view text, long double onset_s, long double duration_s = 0);
  /// A text at a frame of a segment, over `frames` frames.
  void add_at(std::string_view text, ClockPlace place, std::int64_t frames = 0);
  /// A text that is there though no row has it.
  std::int32_t channel_of(std::string_view text);

  EventStreamInfo& info() noexcept { return info_; }
  /// The source of everything added; texts left out are named in a warning with `path`.
  std::unique_ptr<EventSource> take(std::string_view path);

 private:
  EventStreamInfo info_;
  EventList events_;
  std::map<std::string, std::int32_t, std::less<>> channels_;
  std::int64_t before_ = 0;
  double first_before_s_ = 0;
};

}  // namespace weir::formats
