#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/kinds/wfdb/wfdb_record.h"

namespace weir::formats {

/// Where a channel's counts come from in one segment: signal * scale + shift.
struct WfdbLead {
  std::optional<std::size_t> signal;  ///< Empty where the segment lacks it: the shift stands there.
  double scale = 1;
  double shift = 0;
};

/// A segment, and where each channel is in it.
struct WfdbPart {
  WfdbRecord record;
  std::vector<WfdbLead> leads;
};

/// Segment i of `info` is `parts[i]`. Range: every signal in use has `samples` samples a frame.
std::unique_ptr<RecordingSource> make_wfdb_source(std::vector<WfdbPart> parts, std::int64_t samples,
                                                  RecordingInfo info);

}  // namespace weir::formats
