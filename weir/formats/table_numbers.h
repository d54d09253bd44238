#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/formats/four_momentum.h"
#include "weir/formats/table_cut.h"
#include "weir/formats/table_source.h"
#include "weir/formats/tables/number_column.h"

namespace weir::formats {

/// What of a table is wanted as numbers.
struct TableQuery {
  std::vector<std::string> columns;
  std::vector<FourMomentum> momenta;  ///< Four columns each: E, px, py, pz.
  std::string where;                  ///< As `TableCut` reads it; empty for every row.
  Nulls nulls = Nulls::refused;       ///< Of the columns and in the cut.
};

/// Some rows as numbers. Lives: until the sink returns.
/// Shape: `columns` and `rows` are as long as each other; columns stand as in `TableNumbers`.
struct NumberBatch {
  std::span<const std::int64_t> rows;  ///< The row of the table that each came from, ascending.
  std::vector<std::span<const double>> columns;
};
using NumberSink = std::function<void(const NumberBatch& batch)>;

/// Columns of a table as float64, and the rows that a cut keeps.
/// Threads: every member may be called from several threads at once.
class TableNumbers {
 public:
  /// Errors: `invalid_spec` as `find_column` and `TableCut`; for a column of text.
  TableNumbers(std::shared_ptr<const TableSource> table, TableQuery query);
  ~TableNumbers();
  TableNumbers(TableNumbers&& other) noexcept;

  const TableSource& table() const noexcept;
  /// Names in the order of a batch: the columns asked for, then "NAME.E", "NAME.px", "NAME.py",
  /// "NAME.pz" of each momentum.
  const std::vector<std::string>& columns() const noexcept;

  /// The rows of a range that the cut keeps, in order, at most `TableSource::kBatchRows` at a time.
  /// Groups that the file's own statistics rule out are not read.
  /// Errors: as `TableSource::read`; `corrupt_data` naming file, column and row for a null that
  /// is refused, and for a whole number beyond 2^53 that float64 cannot hold. NaN is a number here.
  void read(RowRange rows, const NumberSink& sink) const;
  /// The same, group after group, of which as many are read at once as the arena has threads, while
  /// the sink is called on this thread alone and in the order of rows.
  /// Cost: holds `read_ahead_bytes`; a read ends early when the sink throws.
  void read_ahead(RowRange rows, const NumberSink& sink) const;

  /// Anonymous memory that one `read` takes at a time.
  std::size_t read_bytes() const;
  /// Anonymous memory that `read_ahead` takes with as many threads.
  std::size_t read_ahead_bytes(int threads) const;

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

}  // namespace weir::formats
