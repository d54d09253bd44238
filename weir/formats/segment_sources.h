#pragma once

#include <memory>
#include <vector>

#include "weir/core/recording.h"

namespace weir::formats {

/// One recording of several files: segment i is the first segment of `sources[i]`, whose channels
/// are those of `info` in the same order. `info.segments` is as long as `sources`, frame by frame.
std::unique_ptr<RecordingSource> make_segment_sources(
    std::vector<std::unique_ptr<RecordingSource>> sources, RecordingInfo info);

}  // namespace weir::formats
