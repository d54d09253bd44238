#include "weir/formats/kinds/npy/zip_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kEndBytes = 22;
constexpr std::int64_t kLargestComment = 65535;
constexpr std::int64_t kEntryBytes = 46;
constexpr std::int64_t kLocalBytes = 30;
constexpr std::int64_t kLargestDirectory = std::int64_t{64} << 20;

[[noreturn]] void damaged(const InputFile& file, const std::string& what) {
  throw Error(ErrorCode::corrupt_data, fmt::format("{}: zip: {}", file.path().string(), what));
}

std::vector<std::byte> load(const InputFile& file, std::int64_t from, std::int64_t count) {
  if (from < 0 || count < 0 || from > file.size() - count) {
    damaged(file,
            fmt::format("{} bytes at {} lie outside of the file's {}", count, from, file.size()));
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  file.read(from, bytes);
  return bytes;
}

/// A little-endian number of 2, 4 or 8 bytes.
template <class Number>
std::int64_t number(std::span<const std::byte> bytes, std::int64_t at) {
  WEIR_CHECK(at >= 0 && at + static_cast<std::int64_t>(sizeof(Number)) <= std::ssize(bytes));
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return static_cast<std::int64_t>(value);
}
std::int64_t u16(std::span<const std::byte> bytes, std::int64_t at) {
  return number<std::uint16_t>(bytes, at);
}
std::int64_t u32(std::span<const std::byte> bytes, std::int64_t at) {
  return number<std::uint32_t>(bytes, at);
}

struct Directory {
  std::int64_t start = 0;
  std::int64_t bytes = 0;
};

Directory find_directory(const InputFile& file) {
  const std::int64_t tail_bytes = std::min(file.size(), kEndBytes + kLargestComment);
  const std::int64_t tail_start = file.size() - tail_bytes;
  const auto tail = load(file, tail_start, tail_bytes);
  for (std::int64_t at = tail_bytes - kEndBytes; at >= 0; --at) {
    if (u32(tail, at) != 0x06054b50) {
      continue;
    }
    Directory found{u32(tail, at + 16), u32(tail, at + 12)};
    if (at >= 20 && u32(tail, at - 20) == 0x07064b50) {  // The zip64 locator.
      const auto record = load(file, number<std::uint64_t>(tail, at - 12), 56);
      found = {number<std::uint64_t>(record, 48), number<std::uint64_t>(record, 40)};
    }
    return found;
  }
  damaged(file, "the directory at its end is missing; was the file cut short?");
}

/// Sizes and place of 64 bits, for those whose 32 bits are all ones.
void widen(ZipMember& member, std::span<const std::byte> extra) {
  constexpr std::int64_t kWide = 0xffffffff;
  for (std::int64_t at = 0; at + 4 <= std::ssize(extra);) {
    const std::int64_t id = u16(extra, at);
    const std::int64_t length = u16(extra, at + 2);
    at += 4;
    if (id == 1) {
      std::int64_t next = at;
      for (std::int64_t* field : {&member.unpacked_bytes, &member.bytes, &member.local_header}) {
        if (*field == kWide && next + 8 <= std::min(at + length, std::ssize(extra))) {
          *field = number<std::uint64_t>(extra, next);
          next += 8;
        }
      }
    }
    at += length;
  }
}

ZipMember::Packing packing_of(std::int64_t method, std::int64_t flags) noexcept {
  const bool encrypted = (flags & 1) != 0;
  return encrypted || (method != 0 && method != 8) ? ZipMember::Packing::other
         : method == 0                             ? ZipMember::Packing::stored
                                                   : ZipMember::Packing::deflated;
}
}  // namespace

std::vector<ZipMember> read_zip_directory(const InputFile& file) {
  const Directory directory = find_directory(file);
  if (directory.bytes > kLargestDirectory) {
    damaged(file, fmt::format("a directory of {} bytes", directory.bytes));
  }
  const auto bytes = load(file, directory.start, directory.bytes);
  const std::span<const std::byte> all(bytes);
  std::vector<ZipMember> members;
  for (std::int64_t at = 0; at + kEntryBytes <= std::ssize(bytes);) {
    const std::int64_t name = u16(all, at + 28);
    const std::int64_t extra = u16(all, at + 30);
    const std::int64_t next = at + kEntryBytes + name + extra + u16(all, at + 32);
    if (u32(all, at) != 0x02014b50 || next > std::ssize(bytes)) {
      damaged(file, fmt::format("entry {} of the directory is damaged", members.size()));
    }
    ZipMember member;
    member.name.assign(reinterpret_cast<const char*>(bytes.data()) + at + kEntryBytes,
                       static_cast<std::size_t>(name));
    member.packing = packing_of(u16(all, at + 10), u16(all, at + 8));
    member.checksum = static_cast<std::uint32_t>(u32(all, at + 16));
    member.bytes = u32(all, at + 20);
    member.unpacked_bytes = u32(all, at + 24);
    member.local_header = u32(all, at + 42);
    widen(member, all.subspan(static_cast<std::size_t>(at + kEntryBytes + name),
                              static_cast<std::size_t>(extra)));
    members.push_back(std::move(member));
    at = next;
  }
  return members;
}

std::int64_t member_start(const InputFile& file, const ZipMember& member) {
  const auto header = load(file, member.local_header, kLocalBytes);
  if (u32(header, 0) != 0x04034b50) {
    damaged(file, fmt::format("{} does not start where the directory says", member.name));
  }
  const std::int64_t start = member.local_header + kLocalBytes + u16(header, 26) + u16(header, 28);
  if (member.bytes < 0 || start > file.size() - member.bytes) {
    damaged(file, fmt::format("{}: {} bytes at {} lie outside of the file's {}", member.name,
                              member.bytes, start, file.size()));
  }
  return start;
}

}  // namespace weir::formats
