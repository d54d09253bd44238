#include "weir/formats/tables/grouped_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "weir/core/error.h"
#include "weir/formats/tables/column_rows.h"
#include "weir/formats/tables/file_bytes.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
/// What Arrow may hold at a time, for one table.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
/// A column's buffer of the file, and the page that is unpacked from it.
constexpr std::size_t kColumnBytes = std::size_t{2} << 20;
constexpr std::int64_t kMostRows = std::int64_t{1} << 53;

std::string_view format_of(TableFile kind) {
  return kind == TableFile::parquet ? "parquet" : "arrow";
}

class GroupedTable final : public TableSource {
 public:
  GroupedTable(const fs::path& path, TableFile kind)
      : kind_(kind), path_(path), bytes_(path), reader_(reading_table(path, [&] {
          return table_library().reader(kind, bytes_, kMostBytes);
        })) {
    info_.path = path.string();
    info_.format = format_of(kind);
    info_.schema = reader_->schema();
    for (const auto& column : reader_->left_out()) {
      info_.refused.push_back({column.name, "of type " + column.type});
    }
    for (std::int64_t group = 0; group < reader_->group_count(); ++group) {
      const std::int64_t rows = reading_table(path_, [&] { return reader_->group_rows(group); });
      if (rows < 0 || rows > kMostRows - info_.rows) {
        refuse_table(path_, fmt::format("group {} has {} rows", group, rows));
      }
      info_.rows += rows;
      longest_ = std::max(longest_, rows);
      info_.group_ends.push_back(info_.rows);
    }
  }

  const TableInfo& info() const noexcept override { return info_; }

  void read(std::span<const std::int64_t> columns, RowRange rows,
            const ColumnSink& sink) const override {
    const auto& ends = info_.group_ends;
    const std::int64_t stop = rows.first + rows.count;
    WEIR_CHECK(rows.first >= 0 && rows.count >= 0 && stop <= info_.rows);
    if (rows.count == 0) {
      return;
    }
    auto group = std::upper_bound(ends.begin(), ends.end(), rows.first) - ends.begin();
    for (; group < std::ssize(ends) && begin_of(group) < stop; ++group) {
      read_group(group, columns, {.first = rows.first, .count = rows.count}, sink);
    }
  }

  std::optional<ColumnRange> range(std::int64_t column, std::int64_t group) const override {
    const auto told = reading_table(path_, [&] { return reader_->range(column, group); });
    return told ? std::optional<ColumnRange>({told->first, told->second}) : std::nullopt;
  }

  std::size_t read_bytes(std::span<const std::int64_t> columns) const override {
    std::size_t row_bytes = 0;
    for (const std::int64_t column : columns) {
      const auto type = info_.schema.columns[static_cast<std::size_t>(column)].type;
      row_bytes += 2 * (column_bytes(type) + 1);
    }
    // Of an IPC file Arrow holds a whole record batch.
    const auto rows = kind_ == TableFile::parquet ? std::min(longest_, kBatchRows) : longest_;
    return row_bytes * static_cast<std::size_t>(rows) + columns.size() * kColumnBytes;
  }

 private:
  std::int64_t begin_of(std::int64_t group) const {
    return group == 0 ? 0 : info_.group_ends[static_cast<std::size_t>(group - 1)];
  }

  void read_group(std::int64_t group, std::span<const std::int64_t> columns, RowRange wanted,
                  const ColumnSink& sink) const {
    const std::int64_t promised = info_.group_ends[static_cast<std::size_t>(group)];
    std::int64_t at = begin_of(group);
    reading_table(path_, [&] {
      reader_->read(group, columns, [&](const ColumnBatch& batch) {
        if (batch.rows > promised - at) {
          refuse_table(path_, fmt::format("group {} has more rows than it says", group));
        }
        hand(at, columns, batch, wanted, sink);
        at += batch.rows;
      });
    });
    if (at != promised) {
      refuse_table(path_, fmt::format("group {} lacks {} of its rows", group, promised - at));
    }
  }

  void hand(std::int64_t at, std::span<const std::int64_t> columns, const ColumnBatch& batch,
            RowRange wanted, const ColumnSink& sink) const {
    const std::int64_t first = std::max(wanted.first - at, std::int64_t{0});
    const std::int64_t stop = std::min(wanted.first + wanted.count - at, batch.rows);
    if (first >= stop) {
      return;
    }
    if (first == 0 && stop == batch.rows) {
      sink(at, batch);
      return;
    }
    ColumnBatch part{.rows = stop - first, .columns = {}};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto type = info_.schema.columns[static_cast<std::size_t>(columns[i])].type;
      part.columns.push_back(rows_of(batch.columns[i], type, first, stop));
    }
    sink(at + first, part);
  }

  TableFile kind_;
  fs::path path_;
  FileBytes bytes_;
  std::unique_ptr<TableReader> reader_;
  TableInfo info_;
  std::int64_t longest_ = 0;  ///< Rows of the longest group.
};
}  // namespace

std::unique_ptr<TableSource> open_grouped_table(const fs::path& path, TableFile kind) {
  return std::make_unique<GroupedTable>(path, kind);
}

}  // namespace weir::formats
