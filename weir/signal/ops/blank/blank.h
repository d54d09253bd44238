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
};

/// Frames [first, end) of a segment.
struct BlankStretch {
  std::int64_t first = 0;
  std::int64_t end = 0;
  friend bool operator==(const BlankStretch&, const BlankStretch&) = default;
};

/// What `times_s` blank of a segment: disjoint, in order, within it. `inside` counts the times
/// whose own frame lies in the segment. Errors: `invalid_spec` naming the field.
std::vector<BlankStretch> blank_stretches(const Blank& params, const std::vector<double>& times_s,
                                          const Segment& segment, const SampleRate& rate,
                                          std::int64_t& inside);

/// The times of a text file: a number a line, or the column `onset_s` of a table with commas and a
/// header, as `crossings` writes. Errors: `not_found`, `io`, `corrupt_data` naming the line.
std::vector<double> times_of_file(const std::string& file);

const op::Operator& blank_operator();

}  // namespace weir::signal
