#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/rational.h"
#include "weir/formats/writer.h"

namespace weir::formats {

/// The physical range of a signal as the header's eight characters can tell it.
struct EdfRange {
  std::string unit;  ///< Perhaps another power of ten than the channel's: "uV" for "V".
  std::string minimum;
  std::string maximum;
  std::int64_t lowest = -32768;  ///< The counts that the two stand for.
  std::int64_t highest = 32767;
  double gain_error = 0;    ///< Relative, of what readers compute from the two.
  double offset_error = 0;  ///< As a part of the whole range.
};

/// The range of counts of a file: how many bits they have, and how many counts it may be wider at
/// each end where that makes an end exact.
struct EdfCounts {
  int bits = 16;
  std::int64_t room = 0;
};

/// The range of all counts under `channel`'s gain and offset, in the unit in which eight characters
/// lose the least. Errors: `unsupported` when more than a ten-thousandth would be lost.
EdfRange edf_range(const Channel& channel, const EdfCounts& counts);

/// How a recording becomes an EDF+ or BDF+ file.
struct EdfOutput {
  bool bdf = false;
  bool discontinuous = false;
  std::int64_t samples = 0;  ///< Of each channel in a data record.
  Rational record_s;
  Rational shift_s;  ///< Added to a segment's time: seconds since the header's start.
  std::string date;  ///< "30.11.26"
  std::string time;  ///< "04.05.06"
  std::string recording;
  std::vector<EdfRange> ranges;
  std::vector<std::string>
      lists;                    ///< Annotations in the order of their onsets, as they are written.
  std::vector<Rational> due_s;  ///< When each begins, in seconds since the header's start.
  std::int64_t list_bytes = 0;  ///< Room for them in a data record.

  std::int64_t sample_bytes() const noexcept { return bdf ? 3 : 2; }
  /// A record's own time and where it was filled up take the first 120 bytes.
  std::int64_t annotation_samples() const noexcept { return (120 + list_bytes) / sample_bytes(); }
};

/// Errors: `invalid_spec`, `unsupported` naming what EDF cannot hold, with the numbers.
EdfOutput plan_edf(const RecordingOutput& output);

/// As many of the lists from `next` on as begin before `end_s` and fit a data record; all that fit
/// where there is no end. Returns how many.
std::size_t lists_in_record(const EdfOutput& plan, std::size_t next,
                            const std::optional<Rational>& end_s);

/// What stands in front of the data records. Range: always the same length.
std::string edf_header_text(const EdfOutput& plan, const StreamInfo& stream, std::int64_t records);

/// "+12.5" and so on: seconds to 12 digits behind the point, in the shortest form.
std::string edf_seconds(const Rational& seconds);

}  // namespace weir::formats
