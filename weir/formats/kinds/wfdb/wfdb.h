#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// PhysioNet records, `100.hea` with its signal files (read).
/// The header's checksums are verified when the record is opened; a mismatch is a warning.
const Format& wfdb_format();

}  // namespace weir::formats
