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
  bool at_zero = false;              ///< Rows stand at 0, not at their channel's middle.
  std::string title;                 ///< The first recording's name if empty.
  int width = 1600;
  int height = 0;  ///< 0 for as high as the rows want.
};

/// One of the recordings that are drawn over one another.
struct PictureLayer {
  const RecordingSource* source = nullptr;
  std::vector<std::int64_t> channels;
  std::string name;
};

/// Reads what a picture needs, block by block: memory does not grow with the recording. The first
/// recording makes the rows, the others' channels lie on the row of the same name, or of the same
/// number where none has a name of the first; what has no row is left out. Events mark the last.
/// Errors: `invalid_spec` for a range without samples; those of reading.
Picture make_picture(const std::vector<PictureLayer>& layers, const PictureOptions& options,
                     const std::vector<EventMark>& events);

/// 1, 2 or 5 times a power of ten: the largest that is at most `value`.
double nice_step(double value);

}  // namespace weir::cli
