#pragma once

#include <cstdint>

#include "weir/formats/tables/column_batch.h"

namespace weir::formats {

/// The rows [first, stop) of a column.
ColumnValues rows_of(const ColumnValues& column, ColumnType type, std::int64_t first,
                     std::int64_t stop);

}  // namespace weir::formats
