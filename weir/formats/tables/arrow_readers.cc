// Groups of rows of Parquet and Arrow IPC files become batches of columns.
#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/api.h>
#include <arrow/util/config.h>
#include <arrow/util/future.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <limits>
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

std::optional<ColumnType> column_type(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::BOOL:
      return ColumnType::boolean;
    case arrow::Type::INT8:
      return ColumnType::int8;
    case arrow::Type::INT16:
      return ColumnType::int16;
    case arrow::Type::INT32:
      return ColumnType::int32;
    case arrow::Type::INT64:
      return ColumnType::int64;
    case arrow::Type::UINT8:
      return ColumnType::uint8;
    case arrow::Type::UINT16:
      return ColumnType::uint16;
    case arrow::Type::UINT32:
      return ColumnType::uint32;
    case arrow::Type::UINT64:
      return ColumnType::uint64;
    case arrow::Type::FLOAT:
      return ColumnType::float32;
    case arrow::Type::DOUBLE:
      return ColumnType::float64;
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::STRING_VIEW:
      return ColumnType::text;
    case arrow::Type::DICTIONARY: {
      const auto& values = *static_cast<const arrow::DictionaryType&>(type).value_type();
      const auto found =
          values.id() == arrow::Type::DICTIONARY ? std::nullopt : column_type(values);
      return found == ColumnType::text ? found : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

void append_text(ColumnValues& column, std::string_view text) {
  if (column.values.size() + text.size() > std::size_t{std::numeric_limits<std::int32_t>::max()}) {
    throw std::runtime_error("more than 2 GiB of text in one batch");
  }
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  column.values.insert(column.values.end(), first, first + text.size());
  column.ends.push_back(static_cast<std::int32_t>(column.values.size()));
}

std::string_view text_at(const arrow::Array& array, std::int64_t row) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
      return static_cast<const arrow::StringArray&>(array).GetView(row);
    case arrow::Type::LARGE_STRING:
      return static_cast<const arrow::LargeStringArray&>(array).GetView(row);
    case arrow::Type::STRING_VIEW:
      return static_cast<const arrow::StringViewArray&>(array).GetView(row);
    default: {
      const auto& words = static_cast<const arrow::DictionaryArray&>(array);
      const std::int64_t word = words.GetValueIndex(row);
      if (word < 0 || word >= words.dictionary()->length()) {
        throw std::runtime_error("a text column points outside its dictionary");
      }
      return text_at(*words.dictionary(), word);
    }
  }
}

ColumnValues values_of(const arrow::Array& array) {
  const auto type = column_type(*array.type());
  if (!type) {
    throw std::runtime_error("a column is of another type than the schema says");
  }
  ColumnValues column;
  const std::int64_t rows = array.length();
  const bool nulls = array.null_count() > 0;
  if (nulls) {
    for (std::int64_t row = 0; row < rows; ++row) {
      column.present.push_back(array.IsValid(row) ? 1 : 0);
    }
  }
  if (*type == ColumnType::text) {
    for (std::int64_t row = 0; row < rows; ++row) {
      append_text(column, array.IsValid(row) ? text_at(array, row) : std::string_view());
    }
    return column;
  }
  const std::size_t width = column_bytes(*type);
  column.values.resize(static_cast<std::size_t>(rows) * width);
  if (*type == ColumnType::boolean) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const bool value = static_cast<const arrow::BooleanArray&>(array).Value(row);
      column.values[static_cast<std::size_t>(row)] = value ? std::byte{1} : std::byte{0};
    }
  } else if (rows > 0) {
    const auto& data = *array.data();
    std::memcpy(column.values.data(),
                data.buffers[1]->data() + data.offset * static_cast<std::int64_t>(width),
                column.values.size());
  }
  for (std::size_t row = 0; row < column.present.size(); ++row) {
    if (column.present[row] == 0) {
      std::memset(column.values.data() + row * width, 0, width);
    }
  }
  return column;
}

/// What both kinds of file have in common.
class ArrowReader : public TableReader {
 public:
  ArrowReader(const TableBytes& bytes, std::int64_t most_bytes)
      : pool_(&counted_, most_bytes), file_(std::make_shared<BytesFile>(bytes, &pool_)) {}
  const TableSchema& schema() const noexcept override { return schema_; }
  const std::vector<std::string>& left_out() const noexcept override { return left_out_; }

 protected:
  void describe(const arrow::Schema& schema) {
    for (int i = 0; i < schema.num_fields(); ++i) {
      const auto& field = *schema.field(i);
      const auto type = column_type(*field.type());
      if (type) {
        schema_.columns.push_back({field.name(), *type, field.nullable()});
        fields_.push_back(i);
      } else {
        left_out_.push_back(field.name() + " (" + field.type()->ToString() + ")");
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
  std::vector<std::string> left_out_;
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
    });
  }

  std::int64_t group_count() const noexcept override { return metadata_->num_row_groups(); }
  std::int64_t group_rows(std::int64_t group) const override {
    return metadata_->RowGroup(static_cast<int>(group))->num_rows();
  }

  void read(std::int64_t group, std::span<const std::int64_t> columns,
            const std::function<void(const ColumnBatch&)>& take_batch) const override {
    const auto reader = guarded([&] { return open(); });
    std::vector<int> leaves;
    for (const std::int64_t column : columns) {
      leaves.push_back(reader->manifest()
                           .schema_fields.at(static_cast<std::size_t>(field(column)))
                           .column_index);
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

  static constexpr std::int64_t kBufferBytes = std::int64_t{256} << 10;
  std::shared_ptr<parquet::FileMetaData> metadata_;
};

class IpcReader final : public ArrowReader {
 public:
  IpcReader(const TableBytes& bytes, std::int64_t most_bytes) : ArrowReader(bytes, most_bytes) {
    guarded([&] {
      auto options = arrow::ipc::IpcReadOptions::Defaults();
      options.memory_pool = pool();
      options.use_threads = false;
      reader_ = take(arrow::ipc::RecordBatchFileReader::Open(file(), options));
      describe(*reader_->schema());
    });
  }

  std::int64_t group_count() const noexcept override { return reader_->num_record_batches(); }
  std::int64_t group_rows(std::int64_t group) const override { return batch(group)->num_rows(); }

  void read(std::int64_t group, std::span<const std::int64_t> columns,
            const std::function<void(const ColumnBatch&)>& take_batch) const override {
    const auto whole = batch(group);
    for (std::int64_t first = 0; first < whole->num_rows(); first += kBatchRows) {
      const auto rows = whole->Slice(first, kBatchRows);
      ColumnBatch batch{.rows = rows->num_rows(), .columns = {}};
      for (const std::int64_t column : columns) {
        batch.columns.push_back(values_of(*rows->column(field(column))));
      }
      take_batch(batch);
    }
  }

 private:
  std::shared_ptr<arrow::RecordBatch> batch(std::int64_t group) const {
    const std::scoped_lock lock(mutex_);
    return guarded([&] {
      auto rows = take(reader_->ReadRecordBatch(static_cast<int>(group)));
      check(rows->ValidateFull());  // Offsets of text come from the file.
      return rows;
    });
  }

  std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader_;
  mutable std::mutex mutex_;
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
