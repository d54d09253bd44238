#include "weir/core/stream.h"

#include <fmt/format.h>

#include <numeric>

#include "weir/core/error.h"

namespace weir {

std::size_t size_of(SampleType type) noexcept {
  constexpr std::size_t kSizes[] = {2, 4, 4, 8, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

std::string_view name(SampleType type) noexcept {
  constexpr std::string_view kNames[] = {"int16", "int32", "float32", "float64", "complex64"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string_view name(Axis axis) noexcept {
  return axis == Axis::time_s ? "time_s" : "frequency_hz";
}

Axis axis_named(std::string_view text) {
  for (const Axis axis : {Axis::time_s, Axis::frequency_hz}) {
    if (name(axis) == text) {
      return axis;
    }
  }
  throw Error(ErrorCode::invalid_spec, fmt::format("\"{}\" is not one of: {}, {}", text,
                                                   name(Axis::time_s), name(Axis::frequency_hz)));
}

std::string rows_text(Axis axis, const SampleRate& rate) {
  return axis == Axis::time_s ? rate.text() : fmt::format("a row each {} Hz", rate.seconds(1));
}

std::int64_t StreamInfo::total_frames() const noexcept {
  return std::accumulate(
      segments.begin(), segments.end(), std::int64_t{0},
      [](std::int64_t sum, const Segment& segment) { return sum + segment.frames; });
}

}  // namespace weir
