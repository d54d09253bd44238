// Batches of columns become the bytes of Parquet and Arrow IPC files; what the columns mean is
// decided elsewhere.
#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/api.h>
#include <parquet/arrow/writer.h>
#include <parquet/file_writer.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "weir/formats/tables/arrow_internal.h"

namespace weir::formats {
namespace {
using Bytes = std::vector<std::byte>;
using BufferPointer = std::shared_ptr<arrow::Buffer>;

std::shared_ptr<arrow::DataType> arrow_type(ColumnType type) {
  switch (type) {
    case ColumnType::boolean:
      return arrow::boolean();
    case ColumnType::int8:
      return arrow::int8();
    case ColumnType::int16:
      return arrow::int16();
    case ColumnType::int32:
      return arrow::int32();
    case ColumnType::int64:
      return arrow::int64();
    case ColumnType::uint8:
      return arrow::uint8();
    case ColumnType::uint16:
      return arrow::uint16();
    case ColumnType::uint32:
      return arrow::uint32();
    case ColumnType::uint64:
      return arrow::uint64();
    case ColumnType::float32:
      return arrow::float32();
    case ColumnType::float64:
      return arrow::float64();
    case ColumnType::text:
      return arrow::utf8();
  }
  throw std::logic_error("no such column type");
}

std::shared_ptr<arrow::Schema> arrow_schema(const TableSchema& schema) {
  arrow::FieldVector fields;
  for (const auto& column : schema.columns) {
    fields.push_back(arrow::field(column.name, arrow_type(column.type), column.nullable));
  }
  auto metadata = std::make_shared<arrow::KeyValueMetadata>();
  for (const auto& [key, value] : schema.metadata) {
    metadata->Append(key, value);
  }
  return arrow::schema(std::move(fields), std::move(metadata));
}

/// Borrowed bytes.
template <class T>
BufferPointer borrowed(const std::vector<T>& values) {
  return std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(values.data()),
                                         static_cast<std::int64_t>(values.size() * sizeof(T)));
}

/// One bit for each byte that is not zero.
template <class T>
BufferPointer packed_bits(const std::vector<T>& flags) {
  std::string bits((flags.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const unsigned bit = flags[i] != T{0} ? 1U << (i % 8) : 0U;
    bits[i / 8] = static_cast<char>(static_cast<unsigned char>(bits[i / 8]) | bit);
  }
  return arrow::Buffer::FromString(std::move(bits));
}

std::shared_ptr<arrow::Array> to_array(const ColumnValues& column, ColumnType type,
                                       std::int64_t rows) {
  const BufferPointer present = column.present.empty() ? nullptr : packed_bits(column.present);
  const std::int64_t nulls = column.present.empty() ? 0 : arrow::kUnknownNullCount;
  std::vector<BufferPointer> buffers{present};
  if (type == ColumnType::text) {
    std::string offsets((column.ends.size() + 1) * sizeof(std::int32_t), '\0');
    std::copy_n(reinterpret_cast<const char*>(column.ends.data()),
                column.ends.size() * sizeof(std::int32_t), offsets.data() + sizeof(std::int32_t));
    buffers.push_back(arrow::Buffer::FromString(std::move(offsets)));
  }
  buffers.push_back(type == ColumnType::boolean ? packed_bits(column.values)
                                                : borrowed(column.values));
  return arrow::MakeArray(
      arrow::ArrayData::Make(arrow_type(type), rows, std::move(buffers), nulls));
}

std::shared_ptr<arrow::RecordBatch> to_record_batch(const ColumnBatch& batch,
                                                    const TableSchema& schema,
                                                    std::shared_ptr<arrow::Schema> types) {
  arrow::ArrayVector arrays;
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    arrays.push_back(to_array(batch.columns.at(i), schema.columns[i].type, batch.rows));
  }
  return arrow::RecordBatch::Make(std::move(types), batch.rows, std::move(arrays));
}

/// Keeps what is written; `Tell` counts from where those bytes will stand in the file.
class CollectedBytes final : public arrow::io::OutputStream {
 public:
  explicit CollectedBytes(std::int64_t first) : first_(first) {}
  arrow::Status Write(const void* data, std::int64_t count) override {
    const auto* bytes = static_cast<const std::byte*>(data);
    if (counts_only_) {
      first_ += count;
    } else {
      bytes_.insert(bytes_.end(), bytes, bytes + count);
    }
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> Tell() const override {
    return starts_as_file_ && bytes_.empty() ? 0
                                             : first_ + static_cast<std::int64_t>(bytes_.size());
  }
  arrow::Status Close() override { return arrow::Status::OK(); }
  bool closed() const override { return false; }

  /// While set, bytes move `Tell` on but are not looked at.
  void count_only(bool only) { counts_only_ = only; }
  /// Says 0 until the first byte: the Parquet writer refuses a file that has begun.
  void start_as_file() { starts_as_file_ = true; }
  Bytes bytes() { return std::move(bytes_); }

 private:
  std::int64_t first_;
  bool starts_as_file_ = false;
  bool counts_only_ = false;
  Bytes bytes_;
};

Bytes to_bytes(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// Each group is made as a file of its own, whose places count as if it stood behind the groups
/// before; its head and tail are dropped and its entry is added to the description of the whole.
class ParquetEncoder final : public TableEncoder {
 public:
  ParquetEncoder(const TableSchema& schema, std::span<const std::byte> saved)
      : schema_(schema), types_(arrow_schema(schema)) {
    if (saved.empty()) {
      whole_ = make_file(nullptr).second;
      return;
    }
    if (saved.size() <= sizeof at_) {
      throw std::runtime_error("saved state of the Parquet writer is cut short");
    }
    std::memcpy(&at_, saved.data(), sizeof at_);
    const auto rest = saved.subspan(sizeof at_);
    whole_ = parquet::FileMetaData::Make(rest.data(), static_cast<std::int64_t>(rest.size()));
  }

  Bytes head() override { return to_bytes(kMagic); }

  Bytes group(const ColumnBatch& batch) override {
    const auto rows = to_record_batch(batch, schema_, types_);
    auto [file, description] = make_file(rows.get());
    std::uint32_t tail = 0;
    std::memcpy(&tail, file.data() + file.size() - 8, sizeof tail);
    file.resize(file.size() - 8 - tail);
    file.erase(file.begin(), file.begin() + std::ssize(kMagic));
    whole_->AppendRowGroups(*description);
    at_ += std::ssize(file);
    return std::move(file);
  }

  Bytes tail() override {
    CollectedBytes sink(at_);
    parquet::WriteFileMetaData(*whole_, &sink);
    return sink.bytes();
  }

  Bytes save() const override {
    Bytes saved(sizeof at_);
    std::memcpy(saved.data(), &at_, sizeof at_);
    const Bytes rest = to_bytes(whole_->SerializeToString());
    saved.insert(saved.end(), rest.begin(), rest.end());
    return saved;
  }

 private:
  static constexpr std::string_view kMagic = "PAR1";

  std::shared_ptr<parquet::WriterProperties> properties() const {
    parquet::WriterProperties::Builder builder;
    builder.compression(parquet::Compression::ZSTD)->memory_pool(arrow::system_memory_pool());
    for (const auto& column : schema_.columns) {
      // Sample numbers grow slowly: their differences are small. Of times no two are alike.
      if (column.type == ColumnType::uint64 || column.type == ColumnType::int64) {
        builder.disable_dictionary(column.name);
        builder.encoding(column.name, parquet::Encoding::DELTA_BINARY_PACKED);
      } else if (column.type == ColumnType::float32 || column.type == ColumnType::float64) {
        builder.disable_dictionary(column.name);
      }
    }
    return builder.build();
  }

  std::pair<Bytes, std::shared_ptr<parquet::FileMetaData>> make_file(
      const arrow::RecordBatch* rows) const {
    const auto sink = std::make_shared<CollectedBytes>(at_ - std::ssize(kMagic));
    sink->start_as_file();
    // Only with its schema does Arrow write the metadata of the table.
    const auto with_schema = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    const auto writer = take(parquet::arrow::FileWriter::Open(*types_, arrow::system_memory_pool(),
                                                              sink, properties(), with_schema));
    if (rows != nullptr) {
      check(writer->NewRowGroup());
      for (const auto& column : rows->columns()) {
        check(writer->WriteColumnChunk(*column));
      }
    }
    check(writer->Close());
    return {sink->bytes(), writer->metadata()};
  }

  TableSchema schema_;
  std::shared_ptr<arrow::Schema> types_;
  std::shared_ptr<parquet::FileMetaData> whole_;  ///< Of every group made so far.
  std::int64_t at_ = std::ssize(kMagic);
};

/// The tail lists the place of every batch: Arrow writes it after being shown each batch's size.
class IpcEncoder final : public TableEncoder {
 public:
  IpcEncoder(const TableSchema& schema, std::span<const std::byte> saved)
      : schema_(schema), types_(arrow_schema(schema)), sizes_(saved.size() / sizeof(Sizes)) {
    options_.memory_pool = arrow::system_memory_pool();
    options_.use_threads = false;
    if (saved.size() % sizeof(Sizes) != 0) {
      throw std::runtime_error("saved state of the Arrow writer is cut short");
    }
    std::copy(saved.begin(), saved.end(), reinterpret_cast<std::byte*>(sizes_.data()));
  }

  Bytes head() override {
    CollectedBytes sink(0);
    const auto writer = start(sink);
    return sink.bytes();
  }

  Bytes group(const ColumnBatch& batch) override {
    arrow::ipc::IpcPayload payload;
    const auto rows = to_record_batch(batch, schema_, types_);
    check(arrow::ipc::GetRecordBatchPayload(*rows, options_, &payload));
    CollectedBytes sink(0);
    std::int32_t head = 0;
    check(arrow::ipc::WriteIpcPayload(payload, options_, &sink, &head));
    sizes_.push_back({payload.metadata->size(), payload.body_length});
    return sink.bytes();
  }

  Bytes tail() override {
    CollectedBytes sink(0);
    sink.count_only(true);
    const auto writer = start(sink);
    for (const auto& [metadata, body] : sizes_) {
      // Sizes without bytes: the sink only counts them.
      arrow::ipc::IpcPayload payload;
      payload.type = arrow::ipc::MessageType::RECORD_BATCH;
      payload.metadata = std::make_shared<arrow::Buffer>(nullptr, metadata);
      payload.body_buffers = {std::make_shared<arrow::Buffer>(nullptr, body)};
      payload.body_length = body;
      check(writer->WritePayload(payload));
    }
    sink.count_only(false);
    check(writer->Close());
    return sink.bytes();
  }

  Bytes save() const override {
    const auto bytes = std::as_bytes(std::span(sizes_));
    return {bytes.begin(), bytes.end()};
  }

 private:
  using Sizes = std::array<std::int64_t, 2>;  ///< Metadata, body.

  std::unique_ptr<arrow::ipc::internal::IpcPayloadWriter> start(CollectedBytes& sink) const {
    auto writer = take(arrow::ipc::internal::MakePayloadFileWriter(&sink, types_, options_));
    check(writer->Start());
    arrow::ipc::IpcPayload payload;
    check(arrow::ipc::GetSchemaPayload(*types_, options_, arrow::ipc::DictionaryFieldMapper(),
                                       &payload));
    check(writer->WritePayload(payload));
    return writer;
  }

  TableSchema schema_;
  std::shared_ptr<arrow::Schema> types_;
  arrow::ipc::IpcWriteOptions options_ = arrow::ipc::IpcWriteOptions::Defaults();
  std::vector<Sizes> sizes_;
};
}  // namespace

std::unique_ptr<TableEncoder> make_arrow_encoder(TableFile kind, const TableSchema& schema,
                                                 std::span<const std::byte> saved) {
  if (kind == TableFile::parquet) {
    return std::make_unique<ParquetEncoder>(schema, saved);
  }
  return std::make_unique<IpcEncoder>(schema, saved);
}

}  // namespace weir::formats
