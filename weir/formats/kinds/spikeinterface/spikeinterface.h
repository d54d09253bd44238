#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Folders that SpikeInterface saves with `format="binary"` (read).
const Format& spikeinterface_format();

}  // namespace weir::formats
