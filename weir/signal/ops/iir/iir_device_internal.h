#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "weir/signal/ops/iir/iir_scan_internal.h"
#include "weir/signal/ops/iir/iir_step_internal.h"

namespace weir::signal {

template <class T>
inline constexpr compute::Real kReal =
    sizeof(T) == sizeof(double) ? compute::Real::float64 : compute::Real::float32;

inline constexpr std::int32_t kMostKnown = 8;  // Sections; more take registers that are not there.
inline constexpr std::array<std::int64_t, 2> kGroup{128, 1};
inline constexpr std::int64_t kStepsAhead = 4;  // STEPS in iir.cl
inline constexpr std::int64_t kRest = -1;       // Where a chain begins that begins at rest.
inline constexpr std::int64_t kNowhere = -1;

/// Channels of one group of `iir_chain`, which has an item for each value of each.
constexpr std::int32_t lanes_for(std::int32_t sections) noexcept {
  constexpr std::int32_t kItems = 160;
  std::int32_t lanes = 32;
  while (lanes * 2 * sections > kItems) {
    lanes /= 2;
  }
  return lanes;
}

template <class T>
std::vector<T> rounded(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

/// What one call is made of.
struct CallShape {
  std::int32_t into;    ///< Frames of the first block seen before.
  std::int32_t before;  ///< Blocks of the first span seen before.
  std::int64_t blocks;
  std::int64_t whole_blocks;
  std::int64_t spans;
  std::int64_t whole_spans;

  CallShape(std::int64_t into_span, std::int64_t frames)
      : into(static_cast<std::int32_t>(into_span % kScanGrid.block)),
        before(static_cast<std::int32_t>(into_span / kScanGrid.block)),
        blocks((into + frames + kScanGrid.block - 1) / kScanGrid.block),
        whole_blocks((into + frames) / kScanGrid.block),
        spans((into_span + frames + kScanGrid.span() - 1) / kScanGrid.span()),
        whole_spans((into_span + frames) / kScanGrid.span()) {}
};

/// A state of the scan has two places: items of one launch write one while others read the other.
struct Place {
  std::int64_t read;
  std::int64_t write;
};

/// Between the rows of a CascadeState and a state that begins at element `at` of `work`.
template <class T>
void download_state(compute::Queue& queue, const compute::Buffer& work, std::int64_t at,
                    std::int64_t channels, const CascadeState<T>& to) {
  const auto rows = static_cast<std::int64_t>(to.values().size()) / to.lanes();
  std::vector<T> values(static_cast<std::size_t>(rows * channels));
  queue.download(work, static_cast<std::size_t>(at) * sizeof(T),
                 std::as_writable_bytes(std::span(values)));
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(values.data() + row * channels, channels, to.data() + row * to.lanes());
  }
}
template <class T>
void upload_state(compute::Queue& queue, const CascadeState<T>& from, std::int64_t channels,
                  const compute::Buffer& work, std::int64_t at) {
  const auto rows = static_cast<std::int64_t>(from.values().size()) / from.lanes();
  std::vector<T> values;
  for (std::int64_t row = 0; row < rows; ++row) {
    const T* first = from.data() + row * from.lanes();
    values.insert(values.end(), first, first + channels);
  }
  queue.upload(work, static_cast<std::size_t>(at) * sizeof(T), std::as_bytes(std::span(values)));
}

}  // namespace weir::signal
