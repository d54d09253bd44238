#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/pipeline/input/input.h"

namespace weir::pipeline {

/// Frames of one source that follow each other, or frames nothing was recorded for.
struct Piece {
  static constexpr std::int64_t kFilled = -1;

  std::int64_t frames = 0;
  std::int64_t source = 0;   ///< Which source, or `kFilled`.
  std::int64_t segment = 0;  ///< Of the source.
  std::int64_t first = 0;    ///< Frame of that segment.
};

/// One segment of an input, made of pieces.
struct Stretch {
  Segment segment;
  std::vector<Piece> pieces;
};

/// The frames of one or more sources in the order they will be read.
struct Timeline {
  SampleRate rate;
  std::vector<Stretch> stretches;
  bool timed = true;  ///< Whether the start times of the stretches are known.
};

/// Puts the segments of all sources one after the other; judges gaps as `read` says and appends
/// what was done about them to `warnings`.
/// Errors: `invalid_spec` "gaps: …" listing them; "join: …" for files out of order.
Timeline make_timeline(std::span<const std::unique_ptr<RecordingSource>> sources, const Read& read,
                       std::vector<std::string>& warnings);

/// Keeps the range that `read` asks for. Samples count the frames of the timeline; seconds count
/// from its first frame, with the gaps.
/// Errors: `invalid_spec` "stop: …" with the length, for a range past the end or without a frame.
void cut_timeline(Timeline& timeline, const Read& read, const std::string& name);

}  // namespace weir::pipeline
