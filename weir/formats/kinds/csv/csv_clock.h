#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/core/sample_rate.h"

namespace weir::formats {

/// A sample of a stored segment and when it was.
struct CsvTime {
  std::uint32_t segment = 0;
  std::int64_t sample = 0;
  double seconds = 0;
};

/// The simplest rate that fits the two times of one segment that lie farthest apart, as seconds are
/// written with all their digits; nothing when no segment has
/// two. Errors: `corrupt_data` when later samples have earlier times.
std::optional<SampleRate> rate_of(const std::vector<CsvTime>& times, std::size_t segments);

/// When sample 0 of each segment was, by its first time; 0 s for a segment without. `slack_s` is
/// how far the other times may be off. Errors: `corrupt_data` naming the sample that is farther
/// off.
std::vector<Rational> starts_of(const std::vector<CsvTime>& times, std::size_t segments,
                                const SampleRate& rate, double slack_s);

}  // namespace weir::formats
