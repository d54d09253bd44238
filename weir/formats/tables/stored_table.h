#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/table_source.h"

namespace weir::formats {

/// A column that lies by itself: an array of a group or of an archive.
struct StoredColumn {
  ColumnInfo info;
  /// Fills `values`, little-endian, from row `first` on. Threads: called from several at once.
  std::function<void(std::int64_t first, std::span<std::byte> values)> read;
};

/// The type of a column that holds such numbers; nothing where `ColumnType` has no name for it.
std::optional<ColumnType> column_type_of(StoredType type) noexcept;

/// Columns of `info.rows` rows each; `info.schema` becomes theirs. `group_rows` are read best at a
/// time, of which one column holds `held_bytes`.
std::unique_ptr<TableSource> make_stored_table(TableInfo info, std::vector<StoredColumn> columns,
                                               std::int64_t group_rows, std::size_t held_bytes);

}  // namespace weir::formats
