#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Intan RHD and RHS recordings: traditional files, one file a kind of signal, one file a channel
/// (read).
const Format& intan_format();

}  // namespace weir::formats
