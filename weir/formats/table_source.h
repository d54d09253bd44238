#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/formats/tables/column_batch.h"

namespace weir::formats {

/// Rows [first, first + count) of a table.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// A column that a file has and that cannot be read as numbers or text.
struct RefusedColumn {
  std::string name;
  std::string what;  ///< What it is instead: "a jagged array of float32 (counter n)".
};

/// Everything about a table but its values.
struct TableInfo {
  std::string path;    ///< As messages name it.
  std::string format;  ///< Name of the format that found it.
  std::string name;    ///< The tree or group inside the file; empty where there is only one.
  TableSchema schema;
  std::vector<RefusedColumn> refused;
  std::int64_t rows = 0;
  /// Where each group of rows that lies together in the file ends, the last at `rows`: what is read
  /// best from several threads. Empty only without rows.
  std::vector<std::int64_t> group_ends;
};

/// The smallest and the largest value of a column, NaN apart.
struct ColumnRange {
  double smallest = 0;
  double largest = 0;
};

/// Takes some rows; `first_row` is the place of the batch's first one in the table.
using ColumnSink = std::function<void(std::int64_t first_row, const ColumnBatch& batch)>;

/// Random access to the columns of a table of numbers, of which `TableNumbers` makes float64.
/// Threads: every member may be called from several threads at once.
class TableSource {
 public:
  /// The most rows of one batch.
  static constexpr std::int64_t kBatchRows = 1 << 16;

  virtual ~TableSource() = default;
  virtual const TableInfo& info() const noexcept = 0;
  /// The rows of a range in order, `columns` of the schema in the order asked for, at most
  /// `kBatchRows` at a time; what other columns hold is not read.
  /// Range: `rows` lies in the table, `columns` in the schema.
  /// Errors: `io`, `corrupt_data` naming file and place.
  virtual void read(std::span<const std::int64_t> columns, RowRange rows,
                    const ColumnSink& sink) const = 0;
  /// What the file says of a column in a group of rows, without reading it; nothing where it says
  /// nothing, or where some row of the group has no value.
  virtual std::optional<ColumnRange> range(std::int64_t /*column*/, std::int64_t /*group*/) const {
    return std::nullopt;
  }
  /// Anonymous memory that one `read` of these columns takes at a time.
  virtual std::size_t read_bytes(std::span<const std::int64_t> columns) const = 0;
  /// Anonymous memory the source holds.
  virtual std::size_t held_bytes() const noexcept { return 0; }
};

/// Where a column stands in the schema; names match exactly.
/// Errors: `invalid_spec` for a name that two columns have; for one that no column has (naming the
/// nearest), and for a refused column (saying what it is), each naming the file.
std::int64_t find_column(const TableInfo& table, const std::string& name);

/// The table of a file that `wanted` names, or the only one when it is empty. Errors: `not_found`
/// listing the names, also when there is none; `invalid_spec` when one of several must be named.
std::size_t choose_table(const std::vector<std::string>& names, std::string_view wanted,
                         std::string_view path);

}  // namespace weir::formats
