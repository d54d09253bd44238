#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Samples without a header, `rec.bin`, beside a document that describes them: our sidecar
/// `rec.bin.json`, or `rec.meta` of dspk; else the field `raw` of the read node says how they lie.
const Format& raw_format();

}  // namespace weir::formats
