#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weir::formats {

/// What a table's column holds.
enum class ColumnType {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  text
};

struct ColumnInfo {
  std::string name;
  ColumnType type = ColumnType::float64;
  bool nullable = false;

  friend bool operator==(const ColumnInfo&, const ColumnInfo&) = default;
};

struct TableSchema {
  std::vector<ColumnInfo> columns;
  std::vector<std::pair<std::string, std::string>> metadata;  ///< Of the table, by key.
};

/// The values of one column, row after row.
struct ColumnValues {
  /// Little-endian, `column_bytes` a row (0 where there is none); of text all characters.
  std::vector<std::byte> values;
  std::vector<std::int32_t> ends;     ///< Of text: where each row's characters end.
  std::vector<std::uint8_t> present;  ///< Per row; empty when no row is null.
};

/// Some rows of a table.
/// Shape: one entry of `columns` for each column asked for, each of `rows` rows.
struct ColumnBatch {
  std::int64_t rows = 0;
  std::vector<ColumnValues> columns;
};

/// Bytes of one value; 0 for text.
constexpr std::size_t column_bytes(ColumnType type) noexcept {
  switch (type) {
    case ColumnType::boolean:
    case ColumnType::int8:
    case ColumnType::uint8:
      return 1;
    case ColumnType::int16:
    case ColumnType::uint16:
      return 2;
    case ColumnType::int32:
    case ColumnType::uint32:
    case ColumnType::float32:
      return 4;
    case ColumnType::int64:
    case ColumnType::uint64:
    case ColumnType::float64:
      return 8;
    case ColumnType::text:
      return 0;
  }
  return 0;
}

}  // namespace weir::formats
