#pragma once

#include "weir/formats/format.h"

namespace weir::formats {

/// Event tables as Apache Parquet (written), through the library weir_arrow.
const Format& parquet_format();

}  // namespace weir::formats
