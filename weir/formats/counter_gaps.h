#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace weir::formats {

/// Where counters of frames, which grow by one from frame to frame, do not.
struct CounterGaps {
  std::vector<std::int64_t> starts;  ///< Frames in front of which they jump.
  std::int64_t backward = 0;         ///< How many of the jumps lead nowhere or back.
};

/// Fills `numbers` with the counters from frame `first` on.
using ReadCounters = std::function<void(std::int64_t first, std::span<std::int64_t> numbers)>;

/// Found by halving: where the last counter is the first plus the frames between, nothing between
/// is read, so that a jump forth and exactly back in there is not seen.
/// Range: `frames` above zero.
/// Cost:   two reads where there is no gap, about 2 log2(frames) for each gap.
/// Errors: `corrupt_data` for more than 2^20 gaps; those of `read`.
CounterGaps find_counter_gaps(std::int64_t frames, const ReadCounters& read);

}  // namespace weir::formats
