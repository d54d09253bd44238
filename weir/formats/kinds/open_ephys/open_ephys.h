#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Recordings of the Open Ephys GUI in its binary format, versions 0.4 to 1.0 (read).
const Format& open_ephys_format();

}  // namespace weir::formats
