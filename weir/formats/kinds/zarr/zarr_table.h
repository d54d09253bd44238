#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "weir/formats/format.h"

namespace weir::formats {

/// The groups of a store whose arrays of one axis are columns: the store itself, or those in its
/// group "events".
std::vector<TableInfo> list_zarr_tables(const std::filesystem::path& path,
                                        const OpenOptions& options);
/// One of them. Errors: as `choose_table`; `corrupt_data`, `unsupported` naming the file.
std::unique_ptr<TableSource> open_zarr_table(const std::filesystem::path& path,
                                             const OpenOptions& options);

}  // namespace weir::formats
