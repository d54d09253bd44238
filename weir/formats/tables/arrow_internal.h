#pragma once

#include <arrow/result.h>
#include <arrow/status.h>

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "weir/formats/tables/table_file.h"

namespace arrow {
class Array;
class DataType;
}  // namespace arrow
namespace parquet {
class Statistics;
}  // namespace parquet

// Shared by the files of the library weir_arrow, the only part that knows Arrow C++.
namespace weir::formats {

inline void check(const arrow::Status& status) {
  if (!status.ok()) {
    throw std::runtime_error(status.message());
  }
}

template <class T>
T take(arrow::Result<T>&& result) {
  check(result.status());
  return std::move(result).ValueUnsafe();
}

std::unique_ptr<TableEncoder> make_arrow_encoder(TableFile kind, const TableSchema& schema,
                                                 std::span<const std::byte> saved);
std::unique_ptr<TableReader> make_arrow_reader(TableFile kind, const TableBytes& bytes,
                                               std::int64_t most_bytes);

/// Nothing for a type that `ColumnType` has no name for.
std::optional<ColumnType> column_type(const arrow::DataType& type);
ColumnValues values_of(const arrow::Array& array);
/// As `TableReader::range`; `statistics` may be null.
std::optional<std::pair<double, double>> statistics_range(const parquet::Statistics* statistics,
                                                          ColumnType type);

}  // namespace weir::formats
