#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// EDF, EDF+C, EDF+D, BDF and BDF+ (read). Signals of one rate are a stream.
const Format& edf_format();

}  // namespace weir::formats
