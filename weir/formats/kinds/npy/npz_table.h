#pragma once

#include <filesystem>
#include <memory>

#include "weir/formats/table_source.h"

namespace weir::formats {

/// The arrays of one axis in a .npz, each a column named as its member. A deflated one is unpacked
/// to a temporary file without a name when it is first read.
/// Errors: `corrupt_data`, `unsupported` naming archive and member.
std::unique_ptr<TableSource> open_npz_table(const std::filesystem::path& path);

}  // namespace weir::formats
