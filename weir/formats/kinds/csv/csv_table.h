#pragma once

#include <filesystem>
#include <memory>

#include "weir/formats/table_source.h"

namespace weir::formats {

/// A file whose first line names its columns. One pass tells each column's type: int64 where every
/// cell is a whole number, float64 where every cell is a number, else text; an empty cell is null.
/// Errors: `corrupt_data` "path: line 7: …", also for lines of another number of cells.
std::unique_ptr<TableSource> open_csv_table(const std::filesystem::path& path);

}  // namespace weir::formats
