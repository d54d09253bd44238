#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weir/formats/tables/column_batch.h"

namespace weir::formats {

/// How rows lie in a table file.
enum class TableFile { parquet, arrow_ipc };

/// Makes the bytes of a table file from front to back: the head, each group of rows, the tail.
/// The bytes depend on the groups alone, also when another encoder goes on with what one saved.
/// Errors: whatever a member throws derives from `std::exception`.
class TableEncoder {
 public:
  virtual ~TableEncoder() = default;
  virtual std::vector<std::byte> head() = 0;
  /// One group of rows. Range: at least one row.
  virtual std::vector<std::byte> group(const ColumnBatch& batch) = 0;
  virtual std::vector<std::byte> tail() = 0;
  /// What an encoder needs to go on after the groups made so far.
  virtual std::vector<std::byte> save() const = 0;
};

/// A column of a type that `ColumnType` has no name for.
struct LeftOutColumn {
  std::string name;
  std::string type;
};

/// Bytes at any place, as a table's reader asks for them.
class TableBytes {
 public:
  virtual ~TableBytes() = default;
  virtual std::int64_t size() const = 0;
  virtual void read(std::int64_t offset, std::span<std::byte> bytes) const = 0;
};

/// Random access to the groups of rows of a table file.
/// Errors: whatever a member throws derives from `std::exception`; what `TableBytes` threw comes
/// out as it was.
/// Threads: groups may be read from several threads at once.
class TableReader {
 public:
  virtual ~TableReader() = default;
  virtual const TableSchema& schema() const noexcept = 0;
  /// The columns that the schema lacks.
  virtual const std::vector<LeftOutColumn>& left_out() const noexcept = 0;
  virtual std::int64_t group_count() const noexcept = 0;
  virtual std::int64_t group_rows(std::int64_t group) const = 0;
  /// The rows of a group in order, `columns` of the schema, at most `kBatchRows` at a time.
  virtual void read(std::int64_t group, std::span<const std::int64_t> columns,
                    const std::function<void(const ColumnBatch&)>& take) const = 0;
  /// The smallest and the largest value of a column in a group, NaN apart, as the file says
  /// without reading it; nothing where it does not say, and nothing where a row is null.
  virtual std::optional<std::pair<double, double>> range(std::int64_t column,
                                                         std::int64_t group) const = 0;
  static constexpr std::int64_t kBatchRows = 1 << 16;
};

/// What the library weir_arrow gives: Parquet and Arrow IPC through Arrow C++, which only it knows.
struct TableLibrary {
  static constexpr int kVersion = 2;
  int version = kVersion;
  const char* arrow_version = "";
  /// `saved` is what `TableEncoder::save` gave; empty to start anew.
  std::unique_ptr<TableEncoder> (*encoder)(TableFile kind, const TableSchema& schema,
                                           std::span<const std::byte> saved) = nullptr;
  /// `most_bytes` is what may be allocated at one time; `bytes` outlives the reader.
  std::unique_ptr<TableReader> (*reader)(TableFile kind, const TableBytes& bytes,
                                         std::int64_t most_bytes) = nullptr;
};

/// Errors: `unsupported` when weir_arrow is not there, naming what installs it.
const TableLibrary& table_library();

}  // namespace weir::formats
