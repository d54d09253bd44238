#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/core/sample_rate.h"

namespace weir::formats {

struct WfdbAnnotation {
  std::string label;  ///< The code's letter, then a blank and the text, if it has one: "+ (AFIB".
  std::int64_t sample = 0;
};

/// What an annotator's file holds.
struct WfdbAnnotations {
  std::vector<WfdbAnnotation> rows;
  std::optional<SampleRate> rate;  ///< The file's own time resolution.
  std::int64_t plain = 0;          ///< Rows whose subtype, channel or number is not zero.
  std::string damage;              ///< Where it ends too early; empty for nowhere.
};

/// Errors: `corrupt_data` for times beyond 2^61 samples; `unsupported` for more rows than a source
/// holds.
/// Source: WFDB Applications Guide, annot(5): words of 6 bits of type and 10 of time, and SKIP,
/// NUM, SUB, CHN and AUX.
WfdbAnnotations read_wfdb_annotations(std::span<const std::byte> bytes);

}  // namespace weir::formats
