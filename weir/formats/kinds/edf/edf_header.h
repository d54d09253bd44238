#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/channel.h"
#include "weir/core/rational.h"
#include "weir/formats/input_file.h"

namespace weir::formats {

struct EdfSignal {
  std::string label;
  std::string unit;
  std::string prefilter;
  double physical_min = 0;
  double physical_max = 0;
  double digital_min = 0;
  double digital_max = 0;
  std::int64_t samples = 0;      ///< In one data record.
  std::int64_t record_byte = 0;  ///< Where they start in one.
  bool annotations = false;      ///< Holds text, not samples.
};

/// What stands in front of the data records of EDF, EDF+, BDF and BDF+.
struct EdfHeader {
  std::string type;  ///< "EDF", "EDF+C", "EDF+D", "BDF", "BDF+C", "BDF+D".
  std::int64_t sample_bytes = 2;
  std::int64_t header_bytes = 0;
  std::int64_t record_bytes = 0;  ///< Range: above zero.
  std::int64_t records = -1;      ///< As the header says; -1 for not known.
  Rational record_s;              ///< Range: above zero.
  std::string patient;
  std::string recording;
  std::string start_time;  ///< ISO 8601; empty when the date is none.
  std::vector<EdfSignal> signals;
  std::vector<std::string> warnings;

  bool discontinuous() const noexcept { return type.ends_with("+D"); }
  /// The first signal with annotations, if any.
  const EdfSignal* timekeeper() const noexcept;
};

/// Errors: `corrupt_data` naming signal and field.
/// Source: Kemp et al. 1992, "A simple format for exchange of digitized polygraphic recordings";
/// Kemp & Olivan 2003, "European data format 'plus'".
EdfHeader read_edf_header(const InputFile& file);

/// The signal as a channel: physical = min + (max - min) (count - dmin) / (dmax - dmin), also for
/// reversed ranges. A range that is empty gives counts without unit and a warning.
Channel edf_channel(const EdfSignal& signal, std::int64_t index,
                    std::vector<std::string>& warnings);

/// When the record whose annotations start with `text` begins, in seconds from the start time;
/// empty when no time stands there.
std::optional<Rational> edf_onset(std::string_view text);

}  // namespace weir::formats
