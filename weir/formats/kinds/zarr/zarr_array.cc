#include "weir/formats/kinds/zarr/zarr_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "weir/core/error.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
constexpr std::uint64_t kMissing = ~std::uint64_t{0};
constexpr std::size_t kShardsKept = 4;

template <class Number>
std::vector<std::byte> repeated(double value, std::int64_t count) {
  const std::vector<Number> numbers(static_cast<std::size_t>(count), static_cast<Number>(value));
  const auto bytes = std::as_bytes(std::span(numbers));
  return {bytes.begin(), bytes.end()};
}

/// `count` samples of the fill value.
std::vector<std::byte> fill_samples(StoredType type, double value, std::int64_t count) {
  switch (type) {
    case StoredType::float32:
      return repeated<float>(value, count);
    case StoredType::float64:
      return repeated<double>(value, count);
    case StoredType::int16:
      return repeated<std::int16_t>(value, count);
    case StoredType::int32:
      return repeated<std::int32_t>(value, count);
    case StoredType::int64:
      return repeated<std::int64_t>(value, count);
    case StoredType::int8:
      return repeated<std::int8_t>(value, count);
    case StoredType::uint8:
      return repeated<std::uint8_t>(value, count);
    case StoredType::uint16:
      return repeated<std::uint16_t>(value, count);
    case StoredType::uint32:
      return repeated<std::uint32_t>(value, count);
    case StoredType::uint64:
      return repeated<std::uint64_t>(value, count);
    default:
      if (value != 0) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("fill_value {} of type {}", value, name(type)));
      }
      return std::vector<std::byte>(static_cast<std::size_t>(count * stored_bytes(type)));
  }
}

/// Whether the conversion to the array's type is defined.
bool fill_fits(StoredType type, double value) {
  switch (type) {
    case StoredType::int8:
      return value >= -128 && value <= 127;
    case StoredType::uint8:
      return value >= 0 && value <= 255;
    case StoredType::int16:
      return value >= -32768 && value <= 32767;
    case StoredType::uint16:
      return value >= 0 && value <= 65535;
    case StoredType::int32:
      return value >= -2147483648.0 && value <= 2147483647.0;
    case StoredType::uint32:
      return value >= 0 && value <= 4294967295.0;
    case StoredType::int64:
      return value >= -0x1p63 && value < 0x1p63;
    case StoredType::uint64:
      return value >= 0 && value < 0x1p64;
    default:
      return true;
  }
}
}  // namespace

/// One file, and where its chunks lie. Without a file every chunk is missing.
struct ZarrArray::Shard {
  std::optional<InputFile> file;
  std::vector<std::uint64_t> index;  ///< Offset and length of each chunk.
};

/// The shards read last, so that an index is read once for its chunks.
struct ZarrArray::Shards {
  struct Entry {
    std::int64_t row;
    std::int64_t column;
    std::shared_ptr<const Shard> shard;
  };
  std::mutex mutex;
  std::list<Entry> entries;  ///< Newest first.
};

ZarrArray::ZarrArray(const std::filesystem::path& folder)
    : folder_(folder), recent_(std::make_unique<Shards>()) {
  const Value document = read_zarr_document(folder);
  const std::string file = (folder / "zarr.json").string();
  try {
    metadata_ = parse_array_metadata(document);
    if (!fill_fits(metadata_.type, metadata_.fill.value_or(0))) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("fill_value: {} is no {}", *metadata_.fill, name(metadata_.type)));
    }
  } catch (const Error& error) {
    const bool field = error.code() == ErrorCode::invalid_spec;
    throw Error(field ? ErrorCode::corrupt_data : error.code(), file + ": " + error.text());
  }
}

ZarrArray::ZarrArray(ZarrArray&& other) noexcept = default;
ZarrArray::~ZarrArray() = default;

std::filesystem::path ZarrArray::file_of(std::int64_t row, std::int64_t column) const {
  const bool flat = metadata_.shape.size() == 1;
  return folder_ / (flat ? fmt::format("c{0}{1}", metadata_.separator, row)
                         : fmt::format("c{0}{1}{0}{2}", metadata_.separator, row, column));
}

std::shared_ptr<const ZarrArray::Shard> ZarrArray::open_shard(std::int64_t row,
                                                              std::int64_t column) const {
  auto shard = std::make_shared<Shard>();
  const auto path = file_of(row, column);
  const auto count = static_cast<std::size_t>(metadata_.chunks_per_shard());
  std::error_code failure;
  if (!std::filesystem::exists(path, failure) && !failure) {
    return shard;
  }
  shard->file.emplace(path);
  const std::int64_t size = shard->file->size();
  if (!metadata_.sharded) {
    shard->index = {0, static_cast<std::uint64_t>(size)};
    return shard;
  }
  std::int64_t bytes = static_cast<std::int64_t>(16 * count);
  bytes += 4 * (std::ssize(metadata_.index_codecs) - 1);
  if (size < bytes) {
    throw Error(
        ErrorCode::corrupt_data,
        fmt::format("{}: truncated: {} bytes, but its index takes {}", path.string(), size, bytes));
  }
  std::vector<std::byte> stored(static_cast<std::size_t>(bytes));
  shard->file->read(metadata_.index_at_end ? size - bytes : 0, stored);
  shard->index.resize(2 * count);
  in_context(fmt::format("{}: index of {} bytes", path.string(), size), [&] {
    decode(metadata_.index_codecs, stored, 8, std::as_writable_bytes(std::span(shard->index)));
  });
  return shard;
}

std::shared_ptr<const ZarrArray::Shard> ZarrArray::shard(std::int64_t row,
                                                         std::int64_t column) const {
  {
    const std::lock_guard lock(recent_->mutex);
    for (auto entry = recent_->entries.begin(); entry != recent_->entries.end(); ++entry) {
      if (entry->row == row && entry->column == column) {
        recent_->entries.splice(recent_->entries.begin(), recent_->entries, entry);
        return entry->shard;
      }
    }
  }
  auto opened = open_shard(row, column);
  const std::lock_guard lock(recent_->mutex);
  recent_->entries.push_front({row, column, opened});
  if (recent_->entries.size() > kShardsKept) {
    recent_->entries.pop_back();
  }
  return opened;
}

ZarrChunk ZarrArray::filled() const {
  return std::make_shared<const std::vector<std::byte>>(
      fill_samples(metadata_.type, metadata_.fill.value_or(0), metadata_.chunk_samples()));
}

ZarrChunk ZarrArray::chunk(std::int64_t row, std::int64_t column) const {
  const bool flat = metadata_.shape.size() == 1;
  const std::int64_t rows = metadata_.chunks_per_shard(0);
  const std::int64_t columns = flat ? 1 : metadata_.chunks_per_shard(1);
  const auto held = shard(row / rows, column / columns);
  const auto at = static_cast<std::size_t>(row % rows * columns + column % columns);
  if (!held->file || held->index[2 * at] == kMissing) {
    return filled();
  }
  const std::uint64_t offset = held->index[2 * at];
  const std::uint64_t length = held->index[2 * at + 1];
  const auto size = static_cast<std::uint64_t>(held->file->size());
  return in_context(
      fmt::format("{}: chunk ({}, {})", held->file->path().string(), row, column), [&] {
        if (length > size || offset > size - length) {
          throw Error(ErrorCode::corrupt_data,
                      fmt::format("{} bytes at {} lie outside of the {}", length, offset, size));
        }
        std::vector<std::byte> stored(length);
        held->file->read(static_cast<std::int64_t>(offset), stored);
        const std::int64_t item = stored_bytes(metadata_.type);
        auto samples = std::make_shared<std::vector<std::byte>>(
            static_cast<std::size_t>(metadata_.chunk_samples() * item));
        decode(metadata_.codecs, stored, item, *samples);
        return ZarrChunk(std::move(samples));
      });
}

std::int64_t ZarrArray::files() const noexcept {
  std::int64_t count = metadata_.shards(0);
  if (metadata_.shape.size() == 2 && __builtin_mul_overflow(count, metadata_.shards(1), &count)) {
    count = INT64_MAX;
  }
  return count;
}

std::int64_t ZarrArray::missing_files() const {
  // Counting what is there takes no longer than the store is large, whatever its shape claims.
  std::int64_t there = 0;
  std::error_code failure;
  const auto counts = [&](const std::filesystem::directory_entry& entry) {
    const auto name = entry.path().filename().string();
    return entry.is_regular_file(failure) && name != "zarr.json" && !name.ends_with(".part");
  };
  const auto root = metadata_.separator == '/' ? folder_ / "c" : folder_;
  for (std::filesystem::recursive_directory_iterator entry(root, failure), end; entry != end;
       entry.increment(failure)) {
    there += counts(*entry) ? 1 : 0;
  }
  return std::max(std::int64_t{0}, files() - there);
}

}  // namespace weir::formats
