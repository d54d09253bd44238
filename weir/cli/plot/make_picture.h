#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/cli/plot/event_marks.h"
#include "weir/cli/plot/picture.h"
#include "weir/core/recording.h"

namespace weir::cli {

struct PictureOptions {
  std::optional<double> start_s;     ///< On the recording's clock; its beginning if not given.
  std::optional<double> duration_s;  ///< 30,000 frames, but 10 s at most, if not given.
  std::vector<std::int64_t> channels;
  int width = 1600;
  int height = 0;  ///< 0 for as high as the rows want.
};

/// Reads what a picture needs, block by block: memory does not grow with the recording.
/// Errors: `invalid_spec` for a range without samples; those of reading.
Picture make_picture(const RecordingSource& source, const PictureOptions& options,
                     const std::vector<EventMark>& events);

/// 1, 2 or 5 times a power of ten: the largest that is at most `value`.
double nice_step(double value);

}  // namespace weir::cli
