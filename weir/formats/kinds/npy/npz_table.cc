#include "weir/formats/kinds/npy/npz_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/temporary_file.h"
#include "weir/core/text.h"
#include "weir/formats/inflate.h"
#include "weir/formats/kinds/npy/deflated_array.h"
#include "weir/formats/kinds/npy/npy_header.h"
#include "weir/formats/kinds/npy/zip_directory.h"
#include "weir/formats/stored_samples.h"
#include "weir/formats/tables/stored_table.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kHeaderBytes = 4096;

/// The numbers of a member, wherever they lie.
class MemberRows {
 public:
  MemberRows(std::shared_ptr<const InputFile> archive, ZipMember member, NpyHeader header)
      : archive_(std::move(archive)), member_(std::move(member)), header_(std::move(header)) {}

  void read(std::int64_t first, std::span<std::byte> values) const {
    const auto width = static_cast<std::int64_t>(stored_bytes(header_.type));
    const std::int64_t place = header_.bytes + first * width;
    if (member_.packing == ZipMember::Packing::stored) {
      archive_->read(member_start(*archive_, member_) + place, values);
    } else {
      std::call_once(once_, [&] { unpack(); });
      unpacked_->read(place, values);
    }
    if (header_.big_endian) {
      for (auto at = values.begin(); at != values.end(); at += width) {
        std::reverse(at, at + width);
      }
    }
  }

 private:
  void unpack() const {
    TemporaryFile file(temporary_folder({}));
    std::int64_t at = member_start(*archive_, member_);
    std::int64_t left = member_.bytes;
    std::int64_t made = 0;
    const auto next = [&](std::span<std::byte> piece) {
      const auto count = static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(piece), left));
      archive_->read(at, piece.first(count));
      at += static_cast<std::int64_t>(count);
      left -= static_cast<std::int64_t>(count);
      return count;
    };
    const auto size =
        inflate_stream(next, member_.unpacked_bytes + 1, [&](std::span<const std::byte> piece) {
          file.write(made, piece);
          made += std::ssize(piece);
        });
    if (size != member_.unpacked_bytes) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: {} unpacks to {} bytes of {}", archive_->path().string(),
                              printable(member_.name), size, member_.unpacked_bytes));
    }
    unpacked_.emplace(std::move(file));
  }

  std::shared_ptr<const InputFile> archive_;
  ZipMember member_;
  NpyHeader header_;
  mutable std::once_flag once_;
  mutable std::optional<TemporaryFile> unpacked_;
};

NpyHeader header_of(const InputFile& archive, const ZipMember& member) {
  if (member.packing == ZipMember::Packing::stored) {
    const std::int64_t start = member_start(archive, member);
    return read_npy_header(archive, start, start + member.bytes);
  }
  return in_context(fmt::format("{}: {}", archive.path().string(), printable(member.name)),
                    [&] { return parse_npy_start(unpack_start(archive, member, kHeaderBytes)); });
}

/// Why an array is no column of `rows` rows (-1: of any number); empty for one that is.
std::string oddity(const ZipMember& member, const NpyHeader& header, std::int64_t rows) {
  if (header.shape.size() != 1) {
    return fmt::format("an array of shape {}", shape_text(header.shape));
  }
  if (!column_type_of(header.type)) {
    return fmt::format("of type {}", name(header.type));
  }
  if (rows >= 0 && header.shape[0] != rows) {
    return fmt::format("of {} rows, the first column has {}", header.shape[0], rows);
  }
  const auto width = static_cast<std::int64_t>(stored_bytes(header.type));
  if (header.shape[0] < 0 || header.shape[0] > (member.unpacked_bytes - header.bytes) / width) {
    return fmt::format("shorter than its {} rows", header.shape[0]);
  }
  return {};
}
}  // namespace

std::unique_ptr<TableSource> open_npz_table(const std::filesystem::path& path) {
  const auto archive = std::make_shared<const InputFile>(path);
  TableInfo info;
  info.path = path.string();
  info.format = "npy";
  std::vector<StoredColumn> columns;
  std::int64_t rows = -1;
  for (const auto& member : read_zip_directory(*archive)) {
    const std::string name =
        member.name.ends_with(".npy") ? member.name.substr(0, member.name.size() - 4) : member.name;
    if (!member.name.ends_with(".npy") || member.packing == ZipMember::Packing::other) {
      info.refused.push_back({name, "no array that can be unpacked"});
      continue;
    }
    NpyHeader header;
    try {
      header = header_of(*archive, member);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) {
        throw;
      }
      info.refused.push_back({name, "not of real numbers"});
      continue;
    }
    if (auto odd = oddity(member, header, rows); !odd.empty()) {
      info.refused.push_back({name, std::move(odd)});
      continue;
    }
    rows = header.shape[0];
    const ColumnType type = *column_type_of(header.type);
    const auto values = std::make_shared<const MemberRows>(archive, member, std::move(header));
    columns.push_back({{name, type, false}, [values](std::int64_t first, std::span<std::byte> out) {
                         values->read(first, out);
                       }});
  }
  info.rows = std::max(rows, std::int64_t{0});
  constexpr std::size_t kInflateBytes = std::size_t{256} << 10;
  return make_stored_table(std::move(info), std::move(columns), TableSource::kBatchRows,
                           kInflateBytes);
}

}  // namespace weir::formats
