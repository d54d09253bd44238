#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// WAV with 8 to 32 bits and floats, RF64 and BW64; written with a sidecar as raw files are.
const Format& wav_format();

}  // namespace weir::formats
