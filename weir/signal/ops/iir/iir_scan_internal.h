#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/signal/sections.h"

namespace weir::signal {

/// The grid of the scan over time, counted from the first frame a State saw.
struct ScanGrid {
  std::int64_t block = 256;  ///< Frames.
  std::int64_t length = 16;  ///< Blocks of a span.
  std::int64_t span() const noexcept { return block * length; }
};
inline constexpr ScanGrid kScanGrid;

/// Two a section, to a multiple of four: kernels read four at once.
constexpr std::size_t padded_values(std::size_t sections) noexcept {
  return (2 * sections + 3) / 4 * 4;
}

/// M - 1, where M moves the states of a cascade over `frames` frames of zeros. What a slow filter
/// keeps is its distance from 1, which M itself would round away.
/// Shape: [2 * sections, 2 * sections].
std::vector<double> moved_over(std::span<const Section> sections, std::int64_t frames);

/// What a block and a span do to the states of a cascade, in float64.
struct ScanTables {
  /// The state at the end of a block whose frame i is 1 and whose others are 0.
  /// Shape: [block, padded_values(sections)].
  std::vector<double> left;
  /// As `moved_over` gives it.
  std::vector<double> over_block;
  std::vector<double> over_span;
};
ScanTables scan_tables(std::span<const Section> sections, const ScanGrid& grid);

/// `ScanTables::left` for frames in the other order.
std::vector<double> upside_down(const std::vector<double>& left, std::size_t sections);

}  // namespace weir::signal
