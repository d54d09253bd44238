#pragma once

#include <memory>
#include <vector>

#include "weir/core/recording.h"

namespace weir::formats {

/// One recording whose channels lie in files of their own: channel i of `info` is the only channel
/// of `sources[i]`, which has the segments of `info`.
std::unique_ptr<RecordingSource> make_channel_sources(
    std::vector<std::unique_ptr<RecordingSource>> sources, RecordingInfo info);

}  // namespace weir::formats
