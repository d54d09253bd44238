#include "weir/formats/memory_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/tables/column_rows.h"

namespace weir::formats {
namespace {
std::int64_t row_count(const ColumnValues& values, ColumnType type) {
  return type == ColumnType::text
             ? std::ssize(values.ends)
             : std::ssize(values.values) / static_cast<std::int64_t>(column_bytes(type));
}

class MemoryTable final : public TableSource {
 public:
  MemoryTable(TableInfo info, ColumnBatch values)
      : info_(std::move(info)), values_(std::move(values)) {
    WEIR_CHECK(info_.schema.columns.size() == values_.columns.size());
    std::set<std::string> names;
    info_.rows = values_.rows;
    for (std::size_t i = 0; i < values_.columns.size(); ++i) {
      const auto& column = info_.schema.columns[i];
      const std::int64_t rows = row_count(values_.columns[i], column.type);
      if (rows != info_.rows) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("{}: column {} has {} rows, column {} {}", info_.path,
                                printable(info_.schema.columns.front().name), info_.rows,
                                printable(column.name), rows));
      }
      if (!names.insert(column.name).second) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("{}: has two columns {}", info_.path, printable(column.name)));
      }
    }
    info_.group_ends.clear();
    for (std::int64_t end = 0; end < info_.rows;) {
      end = std::min(info_.rows, end + kBatchRows);
      info_.group_ends.push_back(end);
    }
  }

  const TableInfo& info() const noexcept override { return info_; }

  void read(std::span<const std::int64_t> columns, RowRange rows,
            const ColumnSink& sink) const override {
    const std::int64_t stop = rows.first + rows.count;
    WEIR_CHECK(rows.first >= 0 && rows.count >= 0 && stop <= info_.rows);
    for (std::int64_t first = rows.first; first < stop; first += kBatchRows) {
      const std::int64_t part = std::min(kBatchRows, stop - first);
      ColumnBatch batch{.rows = part, .columns = {}};
      for (const std::int64_t column : columns) {
        const auto place = static_cast<std::size_t>(column);
        batch.columns.push_back(rows_of(values_.columns.at(place), info_.schema.columns[place].type,
                                        first, first + part));
      }
      sink(first, batch);
    }
  }

  std::size_t read_bytes(std::span<const std::int64_t> columns) const override {
    return columns.size() * static_cast<std::size_t>(std::min(info_.rows, kBatchRows)) * 9;
  }

  std::size_t held_bytes() const noexcept override {
    std::size_t bytes = 0;
    for (const auto& column : values_.columns) {
      bytes += column.values.capacity() + column.ends.capacity() * sizeof(std::int32_t) +
               column.present.capacity();
    }
    return bytes;
  }

 private:
  TableInfo info_;
  ColumnBatch values_;
};
}  // namespace

std::unique_ptr<TableSource> make_memory_table(TableInfo info, ColumnBatch values) {
  return std::make_unique<MemoryTable>(std::move(info), std::move(values));
}

std::unique_ptr<TableSource> make_memory_table(std::string name,
                                               std::vector<MemoryColumn> columns) {
  TableInfo info;
  info.path = std::move(name);
  info.format = "memory";
  ColumnBatch batch;
  batch.rows = columns.empty() ? 0 : std::ssize(columns.front().values);
  for (auto& column : columns) {
    info.schema.columns.push_back({std::move(column.name), ColumnType::float64, false});
    auto& values = batch.columns.emplace_back().values;
    values.resize(column.values.size() * sizeof(double));
    if (!values.empty()) {
      std::memcpy(values.data(), column.values.data(), values.size());
    }
    column.values = {};
  }
  return make_memory_table(std::move(info), std::move(batch));
}

}  // namespace weir::formats
