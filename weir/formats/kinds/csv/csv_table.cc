#include "weir/formats/kinds/csv/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/csv/csv_records.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kGroupRows = TableSource::kBatchRows;

/// What the cells of a column have been so far.
enum class Cells { whole, numbers, other };

template <class T>
bool parses(std::string_view cell, T& value) {
  const char* const first = cell.data();
  const char* const last = first + cell.size();
  const auto [end, failure] = std::from_chars(first, last, value);
  return failure == std::errc() && end == last;
}

Cells kind_of(const std::string& cell) {
  std::int64_t whole = 0;
  double number = 0;
  const std::string_view text = trimmed(cell);
  if (parses(text, whole)) {
    return Cells::whole;
  }
  return parses(text, number) ? Cells::numbers : Cells::other;
}

class CsvTable final : public TableSource {
 public:
  explicit CsvTable(const std::filesystem::path& path) : file_(path) {
    info_.path = path.string();
    info_.format = "csv";
    CsvRecords records(file_);
    std::vector<std::string> cells;
    if (!records.next(cells)) {
      throw Error(ErrorCode::corrupt_data, fmt::format("{}: is empty", info_.path));
    }
    for (const auto& name : cells) {
      info_.schema.columns.push_back({std::string(trimmed(name)), ColumnType::int64, false});
    }
    scan(records);
  }

  const TableInfo& info() const noexcept override { return info_; }

  void read(std::span<const std::int64_t> columns, RowRange rows,
            const ColumnSink& sink) const override {
    const std::int64_t stop = rows.first + rows.count;
    WEIR_CHECK(rows.first >= 0 && rows.count >= 0 && stop <= info_.rows);
    if (rows.count == 0) {
      return;
    }
    const auto& start = starts_[static_cast<std::size_t>(rows.first / kGroupRows)];
    CsvRecords records(file_, start.offset, start.line);
    std::vector<std::string> cells;
    for (std::int64_t row = rows.first / kGroupRows * kGroupRows; row < rows.first; ++row) {
      next(records, cells);
    }
    for (std::int64_t first = rows.first; first < stop; first += kBatchRows) {
      ColumnBatch batch{.rows = std::min(kBatchRows, stop - first), .columns = {}};
      batch.columns.resize(columns.size());
      for (std::int64_t row = 0; row < batch.rows; ++row) {
        next(records, cells);
        for (std::size_t i = 0; i < columns.size(); ++i) {
          append(cells[static_cast<std::size_t>(columns[i])], type(columns[i]), batch.columns[i]);
        }
      }
      sink(first, batch);
    }
  }

  std::size_t read_bytes(std::span<const std::int64_t> columns) const override {
    constexpr std::size_t kBufferBytes = std::size_t{512} << 10;
    return kBufferBytes +
           columns.size() * static_cast<std::size_t>(std::min(info_.rows, kBatchRows)) * 9;
  }

  std::size_t held_bytes() const noexcept override { return starts_.capacity() * sizeof(Start); }

 private:
  /// Where a group's first line begins.
  struct Start {
    std::int64_t offset = 0;
    std::int64_t line = 0;
  };

  ColumnType type(std::int64_t column) const {
    return info_.schema.columns[static_cast<std::size_t>(column)].type;
  }

  void scan(CsvRecords& records) {
    auto& columns = info_.schema.columns;
    std::vector<Cells> kinds(columns.size(), Cells::whole);
    std::vector<std::string> cells;
    Start start{.offset = records.offset(), .line = records.next_line()};
    while (records.next(cells)) {
      if (cells.size() != columns.size()) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("{}: line {}: {} cells, the first line has {}", info_.path,
                                records.line(), cells.size(), columns.size()));
      }
      if (info_.rows % kGroupRows == 0) {
        starts_.push_back(start);
      }
      ++info_.rows;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i].empty()) {
          columns[i].nullable = true;
        } else if (kinds[i] != Cells::other) {
          kinds[i] = std::max(kinds[i], kind_of(cells[i]));
        }
      }
      start = {.offset = records.offset(), .line = records.next_line()};
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i].type = kinds[i] == Cells::whole     ? ColumnType::int64
                        : kinds[i] == Cells::numbers ? ColumnType::float64
                                                     : ColumnType::text;
    }
    for (std::int64_t end = 0; end < info_.rows;) {
      end = std::min(info_.rows, end + kGroupRows);
      info_.group_ends.push_back(end);
    }
  }

  void next(CsvRecords& records, std::vector<std::string>& cells) const {
    if (!records.next(cells) || cells.size() != info_.schema.columns.size()) {
      throw Error(ErrorCode::io, fmt::format("{}: has changed while it was read", info_.path));
    }
  }

  void append(const std::string& cell, ColumnType type, ColumnValues& column) const {
    if (type == ColumnType::text) {
      const auto* first = reinterpret_cast<const std::byte*>(cell.data());
      column.values.insert(column.values.end(), first, first + cell.size());
      column.ends.push_back(static_cast<std::int32_t>(column.values.size()));
      return;
    }
    column.present.push_back(cell.empty() ? 0 : 1);
    const std::string_view text = trimmed(cell);
    std::int64_t whole = 0;
    double number = 0;
    const bool known =
        cell.empty() || (type == ColumnType::int64 ? parses(text, whole) : parses(text, number));
    if (!known) {
      throw Error(ErrorCode::io, fmt::format("{}: has changed while it was read", info_.path));
    }
    const std::size_t at = column.values.size();
    column.values.resize(at + sizeof(double));
    if (type == ColumnType::int64) {
      std::memcpy(column.values.data() + at, &whole, sizeof whole);
    } else {
      std::memcpy(column.values.data() + at, &number, sizeof number);
    }
  }

  InputFile file_;
  TableInfo info_;
  std::vector<Start> starts_;
};
}  // namespace

std::unique_ptr<TableSource> open_csv_table(const std::filesystem::path& path) {
  return std::make_unique<CsvTable>(path);
}

}  // namespace weir::formats
