#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/core/stream.h"
#include "weir/op/operator.h"

namespace weir::signal {

enum class PeakSign { pos, neg, both };
enum class HeightUnit { signal, mad, sd };

std::span<const op::EnumName<PeakSign>> names_of(PeakSign);
std::span<const op::EnumName<HeightUnit>> names_of(HeightUnit);

/// Local maxima, by the rules of scipy.signal.find_peaks and in its order: height, threshold,
/// distance, prominence, width.
struct Peaks {
  PeakSign peak_sign = PeakSign::pos;
  HeightUnit height_unit = HeightUnit::signal;  ///< Of height, threshold and prominence.
  std::optional<double> height;
  std::optional<double> threshold;   ///< Least difference to both neighbouring samples.
  std::optional<double> distance_s;  ///< Lower peaks nearer to a higher one are dropped …
  std::optional<double> radius_um;   ///< … and those of channels this near.
  std::optional<double> prominence;
  std::optional<double> width_s;
  double rel_height = 0.5;              ///< Part of the prominence below the top where widths are.
  double wlen_s = 1;                    ///< Window around a peak for prominence and width.
  std::optional<double> max_cluster_s;  ///< Default: 20 distances, 0.1 s at least.
};

/// Frames between two times that one peak's selection is thought over.
inline constexpr std::int64_t kPeakGrid = 128;

/// The rules of one run, in frames.
struct PeakRules {
  bool pos = true;
  bool neg = false;
  bool steep = false;            ///< A threshold is asked for.
  std::int64_t distance = 0;     ///< 0: peaks do not compete.
  std::int64_t max_cluster = 0;  ///< Longest flat top and longest wait for a higher neighbour.
  std::int64_t half_window = 0;  ///< 0: neither prominence nor width is asked for.
  double width = 0;
  double rel_height = 0.5;
  std::int64_t horizon = 0;  ///< A peak is final so many frames after it; 0: when it has passed.

  bool selects() const noexcept { return distance > 0; }
  bool measures() const noexcept { return half_window > 0; }
  bool needs_float64() const noexcept { return steep || horizon > 0; }
  /// Rows that must be there when a peak is measured.
  std::int64_t kept_rows() const noexcept {
    return measures() ? horizon + half_window + kPeakGrid : 0;
  }
};

/// What a channel's peaks are compared with. Units: physical, but for `least`.
struct PeakLevels {
  float sign = 1;   ///< Counts times this rise with the physical value.
  float least = 0;  ///< Smallest count, so oriented, that is high enough; NaN: no peaks.
  double gain = 1;  ///< Positive.
  double threshold = 0;
  double prominence = 0;
};

/// Errors: `invalid_spec` naming the field.
PeakRules peak_rules(const Peaks& params, const SampleRate& rate);
/// `scale`: per channel in physical units, one per channel (1 for `HeightUnit::signal`; NaN: none).
std::vector<PeakLevels> peak_levels(const Peaks& params, const std::vector<Channel>& channels,
                                    const std::vector<double>& scale);
/// Per channel those whose peaks compete with its own, itself included, ascending. Without a radius
/// none but itself.
std::vector<std::vector<std::int32_t>> competitors(const Peaks& params, const StreamInfo& in);

const op::Operator& peaks_operator();

}  // namespace weir::signal
