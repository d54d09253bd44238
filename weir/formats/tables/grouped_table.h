#pragma once

#include <filesystem>
#include <memory>

#include "weir/formats/table_source.h"
#include "weir/formats/tables/table_file.h"

namespace weir::formats {

/// A Parquet or Arrow IPC file as a table, through the library weir_arrow.
/// Errors: `not_found`, `io`, `corrupt_data`; `unsupported` without the library.
std::unique_ptr<TableSource> open_grouped_table(const std::filesystem::path& path, TableFile kind);

}  // namespace weir::formats
