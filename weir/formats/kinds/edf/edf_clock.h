#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/edf/edf_header.h"

namespace weir::formats {

/// Segments of whole records.
struct EdfSegments {
  std::vector<Segment> segments;
  std::vector<std::int64_t> first_frames;  ///< Of each, in the file.
};

/// When the data records start, as they tell themselves, for a stream of `samples` frames a record.
/// Cost: of a discontinuous file of many records only those are read that halving asks for: where
/// the two ends of a stretch lie as far apart as its records last, nothing between is looked at.
/// Errors: `io`; `corrupt_data` for more gaps than are kept.
EdfSegments edf_segments(const InputFile& file, const EdfHeader& header, std::int64_t records,
                         std::int64_t samples, std::vector<std::string>& warnings);

}  // namespace weir::formats
