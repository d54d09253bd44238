#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Neurodata Without Borders: each `ElectricalSeries` of acquisition and processing is a stream
/// (read), through the library weir_hdf5.
const Format& nwb_format();

}  // namespace weir::formats
