#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/formats/kinds/root/root_file.h"
#include "weir/formats/table_source.h"

namespace weir::formats {

/// The names of the trees of a file, "detector/tree".
std::vector<std::string> tree_names(const RootFile& file);

/// A tree by its name. Errors: `corrupt_data`, `unsupported` naming file and tree; as
/// `choose_table`.
std::unique_ptr<TableSource> open_root_table(const std::shared_ptr<const RootFile>& file,
                                             const std::string& name);

}  // namespace weir::formats
