#include "weir/formats/tables/stored_table.h"

#include <algorithm>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
class StoredTable final : public TableSource {
 public:
  StoredTable(TableInfo info, std::vector<StoredColumn> columns, std::int64_t group_rows,
              std::size_t held_bytes)
      : info_(std::move(info)), columns_(std::move(columns)), held_bytes_(held_bytes) {
    info_.schema.columns.clear();
    for (const auto& column : columns_) {
      info_.schema.columns.push_back(column.info);
    }
    for (std::int64_t end = 0; end < info_.rows;) {
      end += std::min(group_rows, info_.rows - end);
      info_.group_ends.push_back(end);
    }
  }

  const TableInfo& info() const noexcept override { return info_; }

  void read(std::span<const std::int64_t> columns, RowRange rows,
            const ColumnSink& sink) const override {
    const std::int64_t stop = rows.first + rows.count;
    WEIR_CHECK(rows.first >= 0 && rows.count >= 0 && stop <= info_.rows);
    for (std::int64_t first = rows.first; first < stop; first += kBatchRows) {
      ColumnBatch batch{.rows = std::min(kBatchRows, stop - first), .columns = {}};
      for (const std::int64_t place : columns) {
        const auto& column = columns_.at(static_cast<std::size_t>(place));
        auto& values = batch.columns.emplace_back().values;
        values.resize(static_cast<std::size_t>(batch.rows) * column_bytes(column.info.type));
        column.read(first, values);
      }
      sink(first, batch);
    }
  }

  std::size_t read_bytes(std::span<const std::int64_t> columns) const override {
    const auto rows = static_cast<std::size_t>(std::min(info_.rows, kBatchRows));
    return columns.size() * (held_bytes_ + rows * sizeof(double));
  }

 private:
  TableInfo info_;
  std::vector<StoredColumn> columns_;
  std::size_t held_bytes_;
};
}  // namespace

std::optional<ColumnType> column_type_of(StoredType type) noexcept {
  switch (type) {
    case StoredType::int8:
      return ColumnType::int8;
    case StoredType::uint8:
      return ColumnType::uint8;
    case StoredType::int16:
      return ColumnType::int16;
    case StoredType::uint16:
      return ColumnType::uint16;
    case StoredType::int32:
      return ColumnType::int32;
    case StoredType::uint32:
      return ColumnType::uint32;
    case StoredType::int64:
      return ColumnType::int64;
    case StoredType::uint64:
      return ColumnType::uint64;
    case StoredType::float32:
      return ColumnType::float32;
    case StoredType::float64:
      return ColumnType::float64;
    default:
      return std::nullopt;
  }
}

std::unique_ptr<TableSource> make_stored_table(TableInfo info, std::vector<StoredColumn> columns,
                                               std::int64_t group_rows, std::size_t held_bytes) {
  return std::make_unique<StoredTable>(std::move(info), std::move(columns), group_rows, held_bytes);
}

}  // namespace weir::formats
