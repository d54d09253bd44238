#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Event tables as Arrow IPC files, also called Feather version 2 (written), through the library
/// weir_arrow.
const Format& arrow_format();

}  // namespace weir::formats
