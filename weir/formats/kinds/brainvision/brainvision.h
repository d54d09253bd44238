#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// BrainVision recordings: `.vhdr` with its samples and markers (read).
const Format& brainvision_format();

}  // namespace weir::formats
