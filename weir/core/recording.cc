#include "weir/core/recording.h"

#include <fmt/format.h>

#include <array>
#include <numeric>

#include "weir/core/error.h"

namespace weir {
namespace {
constexpr std::array<std::string_view, 13> kTypeNames{
    "int8",  "uint8",   "int16",   "uint16", "int24",  "int32",  "uint32",
    "int64", "float32", "float64", "int12",  "uint64", "float16"};
}  // namespace

std::string_view name(StoredType type) noexcept {
  return kTypeNames[static_cast<std::size_t>(type)];
}

std::string_view name(SampleOrder order) noexcept {
  return order == SampleOrder::time_major ? "time_major" : "channel_major";
}

StoredType stored_type(std::string_view text) {
  for (std::size_t i = 0; i < kTypeNames.size(); ++i) {
    if (kTypeNames[i] == text) {
      return static_cast<StoredType>(i);
    }
  }
  throw Error(ErrorCode::invalid_spec, fmt::format("\"{}\" is not a sample type; known: {}", text,
                                                   fmt::join(kTypeNames, ", ")));
}

SampleOrder sample_order(std::string_view text) {
  if (text == "time_major") {
    return SampleOrder::time_major;
  }
  if (text == "channel_major") {
    return SampleOrder::channel_major;
  }
  throw Error(ErrorCode::invalid_spec,
              fmt::format("\"{}\" is not a sample order; known: time_major, channel_major", text));
}

std::int64_t RecordingInfo::total_frames() const noexcept {
  return std::accumulate(
      segments.begin(), segments.end(), std::int64_t{0},
      [](std::int64_t sum, const Segment& segment) { return sum + segment.frames; });
}

}  // namespace weir
