// Groups of rows of Parquet and Arrow IPC files become batches of columns.
#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/api.h>
#include <arrow/util/config.h>
#include <arrow/util/future.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/statistics.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>

#include "weir/formats/tables/arrow_internal.h"

namespace weir::formats {
namespace {

/// Arrow's view of `TableBytes`. What those throw must not pass through Arrow's frames: it is kept
/// and thrown again outside.
class BytesFile final : public arrow::io::RandomAccessFile {
 public:
  BytesFile(const TableBytes& bytes, arrow::MemoryPool* pool) : bytes_(bytes), pool_(pool) {}

  arrow::Result<std::int64_t> GetSize() override { return bytes_.size(); }
  arrow::Result<std::int64_t> ReadAt(std::int64_t position, std::int64_t count,
                                     void* out) override {
    if (position < 0 || count < 0 || position > bytes_.size()) {
      return arrow::Status::Invalid("reads outside the file");
    }
    const std::int64_t there = std::min(count, bytes_.size() - position);
    try {
      bytes_.read(position, {static_cast<std::byte*>(out), static_cast<std::size_t>(there)});
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
      return arrow::Status::IOError("the file could not be read");
    }
    return there;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(std::int64_t position,
                                                       std::int64_t count) override {
    if (position < 0 || count < 0 || position > bytes_.size() || count > bytes_.size() - position) {
      return arrow::Status::Invalid("points behind the end of the file");
    }
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(count, pool_));
    ARROW_RETURN_NOT_OK(ReadAt(position, count, buffer->mutable_data()));
    return std::shared_ptr<arrow::Buffer>(std::move(buffer));
  }
  /// At once: Arrow's own threads would hold the bytes, and the pool, beyond the reader's life.
  arrow::Future<std::shared_ptr<arrow::Buffer>> ReadAsync(const arrow::io::IOContext&,
                                                          std::int64_t position,
                                                          std::int64_t count) override {
    return arrow::Future<std::shared_ptr<arrow::Buffer>>::MakeFinished(ReadAt(position, count));
  }
  arrow::Future<std::shared_ptr<arrow::Buffer>> ReadAsync(const arrow::io::IOContext& context,
                                                          std::int64_t position, std::int64_t count,
                                                          bool) override {
    return ReadAsync(context, position, count);
  }
  arrow::Result<std::int64_t> Read(std::int64_t count, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const std::int64_t there, ReadAt(at_, count, out));
    at_ += there;
    return there;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(std::int64_t count) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(at_, std::min(count, bytes_.size() - at_)));
    at_ += buffer->size();
    return buffer;
  }
  arrow::Status Seek(std::int64_t position) override {
    if (position < 0 || position > bytes_.size()) {
      return arrow::Status::Invalid("seeks outside the file");
    }
    at_ = position;
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> Tell() const override { return at_; }
  arrow::Status Close() override { return arrow::Status::OK(); }
  bool closed() const override { return false; }

  /// Throws what the bytes threw, if anything.
  void rethrow() {
    const std::scoped_lock lock(mutex_);
    if (failure_) {
      std::rethrow_exception(std::exchange(failure_, nullptr));
    }
  }

 private:
  const TableBytes& bytes_;
  arrow::MemoryPool* pool_;
  std::int64_t at_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

/// What both kinds of file have in common.
class ArrowReader : public TableReader {
 public:
  ArrowReader(const TableBytes& bytes, std::int64_t most_bytes)
      : pool_(&counted_, most_bytes), file_(std::make_shared<BytesFile>(bytes, &pool_)) {}
  const TableSchema& schema() const noexcept override { return schema_; }
  const std::vector<LeftOutColumn>& left_out() const noexcept override { return left_out_; }

 protected:
  void describe(const arrow::Schema& schema) {
    for (int i = 0; i < schema.num_fields(); ++i) {
      const auto& field = *schema.field(i);
      const auto type = column_type(*field.type());
      if (type) {
        schema_.columns.push_back({field.name(), *type, field.nullable()});
        fields_.push_back(i);
      } else {
        left_out_.push_back({field.name(), field.type()->ToString()});
      }
    }
    if (const auto& metadata = schema.metadata()) {
      for (std::int64_t i = 0; i < metadata->size(); ++i) {
        schema_.metadata.emplace_back(metadata->key(i), metadata->value(i));
      }
    }
  }

  int field(std::int64_t column) const { return fields_.at(static_cast<std::size_t>(column)); }

  /// Runs `body`; what the file's bytes threw comes before what Arrow made of it.
  template <class Body>
  auto guarded(Body&& body) const {
    try {
      return body();
    } catch (...) {
      file_->rethrow();
      throw;
    }
  }

  arrow::MemoryPool* pool() const noexcept { return &pool_; }
  const std::shared_ptr<BytesFile>& file() const noexcept { return file_; }

 private:
  arrow::ProxyMemoryPool counted_{arrow::system_memory_pool()};  ///< Counts this reader's alone.
  mutable arrow::CappedMemoryPool pool_;
  std::shared_ptr<BytesFile> file_;
  TableSchema schema_;
  std::vector<int> fields_;  ///< The field of each column.
  std::vector<LeftOutColumn> left_out_;
};

class ParquetReader final : public ArrowReader {
 public:
  ParquetReader(const TableBytes& bytes, std::int64_t most_bytes) : ArrowReader(bytes, most_bytes) {
    guarded([&] {
      const auto reader = open();
      metadata_ = reader->parquet_reader()->metadata();
      std::shared_ptr<arrow::Schema> schema;
      check(reader->GetSchema(&schema));
      describe(*schema);
      for (const auto& field : reader->manifest().schema_fields) {
        leaves_.push_back(field.column_index);
      }
    });
  }

  std::int64_t group_count() const noexcept override { return metadata_->num_row_groups(); }
  std::int64_t group_rows(std::int64_t group) const override {
    return metadata_->RowGroup(static_cast<int>(group))->num_rows();
  }

  std::optional<std::pair<double, double>> range(std::int64_t column,
                                                 std::int64_t group) const override {
    const auto& type = schema().columns.at(static_cast<std::size_t>(column)).type;
    const auto chunk = metadata_->RowGroup(static_cast<int>(group))->ColumnChunk(leaf(column));
    return statistics_range(chunk->statistics().get(), type);
  }

  void read(std::int64_t group, std::span<const std::int64_t> columns,
            const std::function<void(const ColumnBatch&)>& take_batch) const override {
    const auto reader = guarded([&] { return open(); });
    std::vector<int> leaves;
    for (const std::int64_t column : columns) {
      leaves.push_back(leaf(column));
    }
    const auto batches = guarded(
        [&] { return take(reader->GetRecordBatchReader({static_cast<int>(group)}, leaves)); });
    while (true) {
      const auto rows = guarded([&] { return take(batches->Next()); });
      if (rows == nullptr) {
        return;
      }
      ColumnBatch batch{.rows = rows->num_rows(), .columns = {}};
      for (const std::int64_t column : columns) {
        // Arrow gives the columns in the file's order, each once.
        const auto found =
            rows->GetColumnByName(schema().columns.at(static_cast<std::size_t>(column)).name);
        if (found == nullptr) {
          throw std::runtime_error("two columns have one name");
        }
        batch.columns.push_back(values_of(*found));
      }
      take_batch(batch);
    }
  }

 private:
  /// A reader serves one thread; the description of the file is read once.
  std::unique_ptr<parquet::arrow::FileReader> open() const {
    parquet::ReaderProperties properties(pool());
    properties.enable_buffered_stream();  // Pages as they are needed, not whole columns.
    properties.set_buffer_size(kBufferBytes);
    parquet::ArrowReaderProperties arrow_properties(false);
    arrow_properties.set_batch_size(kBatchRows);
    arrow_properties.set_pre_buffer(false);
    return take(parquet::arrow::FileReader::Make(
        pool(), parquet::ParquetFileReader::Open(file(), properties, metadata_), arrow_properties));
  }

  int leaf(std::int64_t column) const {
    return leaves_.at(static_cast<std::size_t>(field(column)));
  }

  static constexpr std::int64_t kBufferBytes = std::int64_t{256} << 10;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<int> leaves_;  ///< The place of each field among the file's columns.
};

class IpcReader final : public ArrowReader {
 public:
  IpcReader(const TableBytes& bytes, std::int64_t most_bytes) : ArrowReader(bytes, most_bytes) {
    guarded([&] {
      const auto reader = open({});
      describe(*reader->schema());
      groups_ = reader->num_record_batches();
    });
  }

  std::int64_t group_count() const noexcept override { return groups_; }
  /// A message says its rows in its head, but only reading one of its columns gives them.
  std::int64_t group_rows(std::int64_t group) const override {
    return batch(group, {0})->num_rows();
  }

  std::optional<std::pair<double, double>> range(std::int64_t /*column*/,
                                                 std::int64_t /*group*/) const override {
    return std::nullopt;
  }

  void read(std::int64_t group, std::span<const std::int64_t> columns,
            const std::function<void(const ColumnBatch&)>& take_batch) const override {
    std::vector<int> fields;
    for (const std::int64_t column : columns) {
      fields.push_back(field(column));
    }
    std::sort(fields.begin(), fields.end());
    fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
    const auto whole = batch(group, fields);  // Its columns stand in the order of the file.
    for (std::int64_t first = 0; first < whole->num_rows(); first += kBatchRows) {
      const auto rows = whole->Slice(first, kBatchRows);
      ColumnBatch batch{.rows = rows->num_rows(), .columns = {}};
      for (const std::int64_t column : columns) {
        const auto place = std::lower_bound(fields.begin(), fields.end(), field(column));
        batch.columns.push_back(values_of(*rows->column(static_cast<int>(place - fields.begin()))));
      }
      take_batch(batch);
    }
  }

 private:
  /// A reader serves one thread and one choice of fields; none chosen are all.
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> open(const std::vector<int>& fields) const {
    auto options = arrow::ipc::IpcReadOptions::Defaults();
    options.memory_pool = pool();
    options.use_threads = false;
    options.included_fields = fields;
    return take(arrow::ipc::RecordBatchFileReader::Open(file(), options));
  }

  std::shared_ptr<arrow::RecordBatch> batch(std::int64_t group,
                                            const std::vector<int>& fields) const {
    return guarded([&] {
      auto rows = take(open(fields)->ReadRecordBatch(static_cast<int>(group)));
      check(rows->ValidateFull());  // Offsets of text come from the file.
      return rows;
    });
  }

  std::int64_t groups_ = 0;
};
}  // namespace

std::unique_ptr<TableReader> make_arrow_reader(TableFile kind, const TableBytes& bytes,
                                               std::int64_t most_bytes) {
  if (kind == TableFile::parquet) {
    return std::make_unique<ParquetReader>(bytes, most_bytes);
  }
  return std::make_unique<IpcReader>(bytes, most_bytes);
}

}  // namespace weir::formats

extern "C" __attribute__((visibility("default"))) const weir::formats::TableLibrary* weir_arrow() {
  using namespace weir::formats;
  static constexpr TableLibrary kLibrary{.version = TableLibrary::kVersion,
                                         .arrow_version = ARROW_VERSION_STRING,
                                         .encoder = &make_arrow_encoder,
                                         .reader = &make_arrow_reader};
  return &kLibrary;
}
