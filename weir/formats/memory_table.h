#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/formats/table_source.h"

namespace weir::formats {

/// A column of float64 that lies in memory.
struct MemoryColumn {
  std::string name;
  std::vector<double> values;
};

/// A table of columns in memory; `name` is what messages call it.
/// Errors: `invalid_spec` for columns of different lengths or of one name.
std::unique_ptr<TableSource> make_memory_table(std::string name, std::vector<MemoryColumn> columns);
/// The same of columns of any types, as `info.schema` says; sets `info.rows` and `info.group_ends`.
std::unique_ptr<TableSource> make_memory_table(TableInfo info, ColumnBatch values);

}  // namespace weir::formats
