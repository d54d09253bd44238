#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::formats {

/// A line of a .vmrk that starts no segment.
struct BrainvisionMarker {
  std::string label;        ///< "Stimulus/S  1": type and description.
  std::int64_t sample = 0;  ///< From the recording's first. Range: from 0 on.
  std::int64_t frames = 0;
  std::int64_t channel = 0;  ///< Counted from 1; 0 for all.
};

struct BrainvisionMarkers {
  std::vector<BrainvisionMarker> markers;
  std::int64_t unreadable = 0;
  std::string first_unreadable;  ///< Its key and why.
};

/// The markers in the order of their numbers. Lines that make no sense are counted.
/// Source: BrainVision Core Data Format 1.0, "Marker file": type, description, position from 1,
/// size, channel; \1 stands for a comma.
BrainvisionMarkers read_brainvision_markers(std::string_view text);

}  // namespace weir::formats
