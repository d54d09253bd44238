#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Recordings of SpikeGLX, `run_g0_t0.imec0.ap.bin` with its `.meta` (read).
const Format& spikeglx_format();

}  // namespace weir::formats
