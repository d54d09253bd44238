#include "weir/formats/kinds/intan/intan_clock.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/text.h"
#include "weir/formats/frame_time.h"

namespace weir::formats {

IntanSegments intan_segments(std::int64_t stamps, const ReadCounters& read, const SampleRate& rate,
                             std::int64_t frames, const Rational& share,
                             std::vector<std::string>& warnings) {
  if (stamps == 0 || frames == 0) {
    return {{Segment{.frames = frames, .start_s = {}}}, {0}};
  }
  CounterGaps gaps = find_counter_gaps(stamps, read);
  if (gaps.backward > 0) {
    warnings.push_back(fmt::format("time stamps stay or go back at {} places; segments start there",
                                   grouped(gaps.backward)));
  }
  gaps.starts.insert(gaps.starts.begin(), 0);
  IntanSegments result;
  for (const std::int64_t start : gaps.starts) {
    const std::int64_t frame = std::min(share.floor_times(start), frames);
    std::int64_t stamp = 0;
    read(start, std::span(&stamp, 1));
    Segment segment{.frames = 0,
                    .start_s = frame_time(stamp, rate),
                    .first_frame = 0,
                    .index = std::ssize(result.segments)};
    if (!result.first_frames.empty() && frame == result.first_frames.back()) {
      segment.index = result.segments.back().index;  // Shorter than a sample of this stream.
      result.segments.back() = segment;
      continue;
    }
    if (!result.segments.empty()) {
      result.segments.back().frames = frame - result.first_frames.back();
    }
    if (frame < frames) {
      result.segments.push_back(segment);
      result.first_frames.push_back(frame);
    }
  }
  result.segments.back().frames = frames - result.first_frames.back();
  return result;
}

}  // namespace weir::formats
