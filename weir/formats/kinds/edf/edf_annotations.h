#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "weir/formats/kinds/edf/edf_header.h"

namespace weir::formats {

/// One text of a time-stamped annotation list.
struct EdfAnnotation {
  std::string_view text;
  long double onset_s = 0;  ///< From the file's start time.
  long double duration_s = 0;
};

/// Calls `found` for every text in the bytes of one annotation signal in one data record; the empty
/// ones, as of the lists that only keep time, are none. Returns how many lists cannot be read.
/// Source: Kemp & Olivan 2003, section 2.2.4.
std::int64_t scan_edf_annotations(std::string_view bytes,
                                  const std::function<void(const EdfAnnotation&)>& found);

}  // namespace weir::formats
