#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// NumPy arrays: .npy (versions 1 to 3) read and written, members of .npz read, stored or deflated.
/// An array is [time] or [time, channel], or [channel, time] when `raw.order` is channel_major.
/// Rate, gains and names come from the sidecar `<file>.json`, else from the field `raw`.
const Format& npy_format();

}  // namespace weir::formats
