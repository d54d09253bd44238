#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/op/operator.h"

namespace weir::signal {

enum class BlankMode {
  zeros,  ///< 0 physical units.
  linear  ///< A line from the sample before to the sample after.
};

/// Replaces what stands around given times, in every channel.
struct Blank {
  std::vector<double> times_s;  ///< On the recording's clock.
  std::string file;             ///< More of them.
  double before_s = 0.0005;
  double after_s = 0.003;
  BlankMode mode = BlankMode::zeros;
  double longest_event_s = 0.1;  ///< Of events that come in.
};

/// Frames [first, end) of a segment.
struct BlankStretch {
  std::int64_t first = 0;
  std::int64_t end = 0;
  friend bool operator==(const BlankStretch&, const BlankStretch&) = default;
};

/// Frames around one time.
struct BlankReach {
  std::int64_t before = 0;
  std::int64_t after = 1;
};

/// Errors: `invalid_spec` naming the field.
BlankReach blank_reach(const Blank& params, const SampleRate& rate);

/// The nearest frame of a segment to each time, wherever it lies.
std::vector<double> frames_of_times(const std::vector<double>& times_s, const Segment& segment,
                                    const SampleRate& rate);

/// What is blanked of a segment of so many frames: disjoint, in order, within it. `inside` counts
/// those of `around` that lie in the segment.
std::vector<BlankStretch> blank_stretches(const std::vector<double>& around,
                                          const BlankReach& reach, std::int64_t frames,
                                          std::int64_t& inside);

/// The times of a text file: a number a line, or the column `onset_s` of a table with commas and a
/// header, as `crossings` writes. Errors: `not_found`, `io`, `corrupt_data` naming the line.
std::vector<double> times_of_file(const std::string& file);

const op::Operator& blank_operator();

}  // namespace weir::signal
