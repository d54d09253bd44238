#pragma once

#include <string>
#include <vector>

#include "weir/core/value.h"
#include "weir/formats/table_source.h"

namespace weir::cli {

/// Tables of numbers: rows, columns with their types, and columns that cannot be read; empty for
/// none.
std::string table_lines(const std::vector<formats::TableInfo>& tables);

/// The same for programs.
Value tables_json(const std::vector<formats::TableInfo>& tables);

}  // namespace weir::cli
