#include "weir/formats/kinds/zarr/zarr_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "weir/core/error.h"
#include "weir/formats/kinds/zarr/zarr_array.h"
#include "weir/formats/kinds/zarr/zarr_node.h"
#include "weir/formats/stored_samples.h"
#include "weir/formats/tables/stored_table.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t kMostGroups = 1024;
constexpr std::size_t kMostColumns = 4096;

/// An array of one axis; keeps the chunk that was read last.
class ArrayRows {
 public:
  explicit ArrayRows(ZarrArray array) : array_(std::move(array)) {}
  const ZarrArrayMetadata& metadata() const noexcept { return array_.metadata(); }

  void read(std::int64_t first, std::span<std::byte> values) const {
    const auto width = static_cast<std::int64_t>(stored_bytes(metadata().type));
    const std::int64_t chunk = metadata().chunk[0];
    std::int64_t left = std::ssize(values) / width;
    std::byte* out = values.data();
    while (left > 0) {
      const std::int64_t inside = first % chunk;
      const std::int64_t rows = std::min(left, chunk - inside);
      const auto bytes = held(first / chunk);
      std::memcpy(out, bytes->data() + inside * width, static_cast<std::size_t>(rows * width));
      out += rows * width;
      first += rows;
      left -= rows;
    }
  }

 private:
  using Chunk = std::shared_ptr<const std::vector<std::byte>>;

  Chunk held(std::int64_t place) const {
    {
      const std::scoped_lock lock(mutex_);
      if (recent_ && recent_place_ == place) {
        return recent_;
      }
    }
    auto bytes = std::make_shared<std::vector<std::byte>>(
        static_cast<std::size_t>(metadata().chunk_bytes()));
    array_.read_chunk({place}, *bytes);
    const std::scoped_lock lock(mutex_);
    recent_place_ = place;
    recent_ = bytes;
    return bytes;
  }

  ZarrArray array_;
  mutable std::mutex mutex_;
  mutable std::int64_t recent_place_ = -1;
  mutable Chunk recent_;
};

/// Whether a group has an array of one axis.
bool has_columns(const fs::path& group) {
  const auto names = list_zarr_arrays(group, kMostColumns);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.find('/') == std::string::npos &&
           ZarrArray(path_inside(group, name)).metadata().shape.size() == 1;
  });
}

struct Group {
  std::string name;
  fs::path folder;
};

std::vector<Group> groups_of(const fs::path& path) {
  if (!is_zarr_node(path) || read_zarr_node(path).array) {
    return {};
  }
  if (has_columns(path)) {
    return {{"", path}};
  }
  std::vector<Group> groups;
  std::error_code failure;
  for (fs::directory_iterator entry(path / "events", failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (!entry->is_symlink() && groups.size() < kMostGroups && is_zarr_node(entry->path()) &&
        has_columns(entry->path())) {
      groups.push_back({entry->path().stem().string(), entry->path()});
    }
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.folder < b.folder; });
  return groups;
}

std::unique_ptr<TableSource> table_of(const Group& group) {
  TableInfo info;
  info.path = group.folder.string();
  info.format = "zarr";
  info.name = group.name;
  std::vector<StoredColumn> columns;
  std::int64_t rows = -1;
  std::int64_t chunk_rows = TableSource::kBatchRows;
  std::int64_t chunk_bytes = 0;
  for (const auto& name : list_zarr_arrays(group.folder, kMostColumns)) {
    const auto array =
        std::make_shared<const ArrayRows>(ZarrArray(path_inside(group.folder, name)));
    const auto& metadata = array->metadata();
    const auto type = column_type_of(metadata.type);
    if (metadata.shape.size() != 1 || !type) {
      info.refused.push_back({name, fmt::format("an array of {} axes of {}", metadata.shape.size(),
                                                weir::name(metadata.type))});
    } else if (rows >= 0 && metadata.shape[0] != rows) {
      info.refused.push_back(
          {name, fmt::format("of {} rows, the first column has {}", metadata.shape[0], rows)});
    } else {
      rows = metadata.shape[0];
      chunk_rows = std::max(chunk_rows, metadata.chunk[0]);
      chunk_bytes = std::max(chunk_bytes, metadata.chunk_bytes());
      columns.push_back(
          {{name, *type, false},
           [array](std::int64_t first, std::span<std::byte> out) { array->read(first, out); }});
    }
  }
  info.rows = std::max(rows, std::int64_t{0});
  return make_stored_table(std::move(info), std::move(columns), chunk_rows,
                           2 * static_cast<std::size_t>(chunk_bytes));
}
}  // namespace

std::vector<TableInfo> list_zarr_tables(const fs::path& path, const OpenOptions& /*options*/) {
  std::vector<TableInfo> tables;
  for (const auto& group : groups_of(path)) {
    tables.push_back(table_of(group)->info());
  }
  return tables;
}

std::unique_ptr<TableSource> open_zarr_table(const fs::path& path, const OpenOptions& options) {
  const auto groups = groups_of(path);
  std::vector<std::string> names(groups.size());
  std::transform(groups.begin(), groups.end(), names.begin(),
                 [](const Group& group) { return group.name; });
  return table_of(groups[choose_table(names, options.stream, path.string())]);
}

}  // namespace weir::formats
