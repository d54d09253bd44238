#include "weir/core/stream.h"

#include <numeric>

namespace weir {

std::size_t size_of(SampleType type) noexcept {
  constexpr std::size_t kSizes[] = {2, 4, 4, 8, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

std::string_view name(SampleType type) noexcept {
  constexpr std::string_view kNames[] = {"int16", "int32", "float32", "float64", "complex64"};
  return kNames[static_cast<std::size_t>(type)];
}

std::int64_t StreamInfo::total_frames() const noexcept {
  return std::accumulate(
      segments.begin(), segments.end(), std::int64_t{0},
      [](std::int64_t sum, const Segment& segment) { return sum + segment.frames; });
}

}  // namespace weir
