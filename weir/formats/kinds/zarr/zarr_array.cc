#include "weir/formats/kinds/zarr/zarr_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "weir/core/error.h"
#include "weir/formats/kinds/zarr/zarr_fill.h"
#include "weir/formats/kinds/zarr/zarr_node.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
constexpr std::uint64_t kMissing = ~std::uint64_t{0};
constexpr std::size_t kShardsKept = 4;
}  // namespace

/// One file, and where its chunks lie. Without a file every chunk is missing.
struct ZarrArray::Shard {
  std::optional<InputFile> file;
  std::vector<std::uint64_t> index;  ///< Offset and length of each chunk.
};

/// The shards read last, so that an index is read once for its chunks.
struct ZarrArray::Shards {
  std::mutex mutex;
  std::list<std::pair<ZarrPlace, std::shared_ptr<const Shard>>> entries;  ///< Newest first.
};

ZarrArray::ZarrArray(const std::filesystem::path& folder)
    : folder_(folder), recent_(std::make_unique<Shards>()) {
  const ZarrNode node = read_zarr_node(folder);
  try {
    if (!node.array) {
      throw Error(ErrorCode::corrupt_data, "is a group, no array");
    }
    metadata_ = node.version == 2 ? parse_v2_metadata(node.document, node.attributes)
                                  : parse_array_metadata(node.document);
    if (!fill_fits(metadata_.type, metadata_.fill.value_or(0))) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("fill_value: {} is no {}", *metadata_.fill, name(metadata_.type)));
    }
  } catch (const Error& error) {
    const bool field = error.code() == ErrorCode::invalid_spec;
    throw Error(field ? ErrorCode::corrupt_data : error.code(),
                node.file.string() + ": " + error.text());
  }
}

ZarrArray::ZarrArray(ZarrArray&& other) noexcept = default;
ZarrArray::~ZarrArray() = default;

std::filesystem::path ZarrArray::file_of(const ZarrPlace& place) const {
  const std::string separator(1, metadata_.separator);
  std::string name = metadata_.key_prefix ? "c" : "";
  for (std::size_t axis = 0; axis < metadata_.key_axes; ++axis) {
    name += (name.empty() ? "" : separator) + std::to_string(place[axis]);
  }
  return folder_ / name;
}

void ZarrArray::read_index(const InputFile& file, std::vector<std::uint64_t>& index) const {
  const std::int64_t count = metadata_.chunks_per_shard();
  const std::int64_t bytes = 16 * count + 4 * (std::ssize(metadata_.index_codecs) - 1);
  if (file.size() < bytes) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: truncated: {} bytes, but its index takes {}", file.path().string(),
                            file.size(), bytes));
  }
  std::vector<std::byte> stored(static_cast<std::size_t>(bytes));
  file.read(metadata_.index_at_end ? file.size() - bytes : 0, stored);
  index.resize(static_cast<std::size_t>(2 * count));
  const std::array<std::int64_t, 2> shape{count, 2};
  in_context(fmt::format("{}: index of {} bytes", file.path().string(), file.size()), [&] {
    decode(metadata_.index_codecs, stored, {StoredType::uint64, shape},
           std::as_writable_bytes(std::span(index)));
  });
}

std::shared_ptr<const ZarrArray::Shard> ZarrArray::open_shard(const ZarrPlace& place) const {
  auto shard = std::make_shared<Shard>();
  const auto path = file_of(place);
  std::error_code failure;
  if (!std::filesystem::exists(path, failure) && !failure) {
    return shard;
  }
  shard->file.emplace(path);
  if (metadata_.sharded) {
    read_index(*shard->file, shard->index);
  } else {
    shard->index = {0, static_cast<std::uint64_t>(shard->file->size())};
  }
  return shard;
}

std::shared_ptr<const ZarrArray::Shard> ZarrArray::shard(const ZarrPlace& place) const {
  if (!metadata_.sharded) {
    return open_shard(place);  // Nothing is saved by keeping it: a chunk is read once.
  }
  {
    const std::lock_guard lock(recent_->mutex);
    for (auto entry = recent_->entries.begin(); entry != recent_->entries.end(); ++entry) {
      if (entry->first == place) {
        recent_->entries.splice(recent_->entries.begin(), recent_->entries, entry);
        return entry->second;
      }
    }
  }
  auto opened = open_shard(place);
  const std::lock_guard lock(recent_->mutex);
  recent_->entries.emplace_front(place, opened);
  if (recent_->entries.size() > kShardsKept) {
    recent_->entries.pop_back();
  }
  return opened;
}

void ZarrArray::read_chunk(const ZarrPlace& place, std::span<std::byte> samples) const {
  WEIR_CHECK(place.size() == metadata_.shape.size() &&
             std::ssize(samples) == metadata_.chunk_bytes());
  ZarrPlace file = place;
  std::int64_t inside = 0;
  for (std::size_t axis = 0; axis < place.size(); ++axis) {
    const std::int64_t count = metadata_.chunks_per_shard(axis);
    file[axis] = place[axis] / count;
    inside = inside * count + place[axis] % count;
  }
  const auto held = shard(file);
  const auto at = static_cast<std::size_t>(inside);
  if (!held->file || held->index[2 * at] == kMissing) {
    fill_samples(metadata_.type, metadata_.fill.value_or(0), samples);
    return;
  }
  const std::uint64_t offset = held->index[2 * at];
  const std::uint64_t length = held->index[2 * at + 1];
  const auto size = static_cast<std::uint64_t>(held->file->size());
  in_context(
      fmt::format("{}: chunk ({})", held->file->path().string(), fmt::join(place, ", ")), [&] {
        if (length > size || offset > size - length) {
          throw Error(ErrorCode::corrupt_data,
                      fmt::format("{} bytes at {} lie outside of the {}", length, offset, size));
        }
        const auto stored = std::make_unique_for_overwrite<std::byte[]>(length);
        const std::span bytes(stored.get(), length);
        held->file->read(static_cast<std::int64_t>(offset), bytes);
        decode(metadata_.codecs, bytes, {metadata_.type, metadata_.chunk}, samples);
      });
}

std::vector<std::byte> ZarrArray::read_rows(std::int64_t limit) const {
  const auto& shape = metadata_.shape;
  std::int64_t bytes = stored_bytes(metadata_.type);
  for (const std::int64_t length : shape) {
    if (__builtin_mul_overflow(bytes, length, &bytes) || bytes > limit) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: shape ({}) takes more than {} bytes", folder_.string(),
                              fmt::join(shape, ", "), limit));
    }
  }
  if (metadata_.chunk_bytes() > limit) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: chunks of more than {} bytes", folder_.string(), limit));
  }
  if (shape.size() > 2 || (shape.size() == 2 && metadata_.chunk[1] != shape[1])) {
    throw Error(ErrorCode::unsupported, fmt::format("{}: rows of shape ({}) in several chunks",
                                                    folder_.string(), fmt::join(shape, ", ")));
  }
  std::vector<std::byte> values;
  std::vector<std::byte> chunk(static_cast<std::size_t>(metadata_.chunk_bytes()));
  for (ZarrPlace place(shape.size()); std::ssize(values) < bytes; ++place[0]) {
    read_chunk(place, chunk);
    const auto count = std::min(std::ssize(chunk), bytes - std::ssize(values));
    values.insert(values.end(), chunk.begin(), chunk.begin() + count);
  }
  return values;
}

std::size_t ZarrArray::index_bytes() const noexcept {
  const auto kept = static_cast<std::size_t>(std::min<std::int64_t>(files(), kShardsKept));
  // One more while it is read, as it is stored.
  return metadata_.sharded
             ? (kept + 1) * 16 * static_cast<std::size_t>(metadata_.chunks_per_shard())
             : 0;
}

std::int64_t ZarrArray::files() const noexcept {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < metadata_.key_axes; ++axis) {
    if (__builtin_mul_overflow(count, metadata_.shards(axis), &count)) {
      return INT64_MAX;
    }
  }
  return count;
}

std::int64_t ZarrArray::missing_files() const {
  // Counting what is there takes no longer than the store is large, whatever its shape claims.
  std::int64_t there = 0;
  std::error_code failure;
  const auto counts = [&](const std::filesystem::directory_entry& entry) {
    const auto name = entry.path().filename().string();
    return entry.is_regular_file(failure) && name != "zarr.json" && !name.starts_with('.') &&
           !name.ends_with(".part");
  };
  const bool below = metadata_.key_prefix && metadata_.separator == '/';
  for (std::filesystem::recursive_directory_iterator
           entry(below ? folder_ / "c" : folder_, failure),
       end;
       entry != end; entry.increment(failure)) {
    there += counts(*entry) ? 1 : 0;
  }
  return std::max(std::int64_t{0}, files() - there);
}

}  // namespace weir::formats
