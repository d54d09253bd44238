#include "weir/formats/kinds/root/root_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weir/core/error.h"
#include "weir/formats/kinds/root/root_buffer.h"
#include "weir/formats/kinds/root/root_compression.h"

namespace weir::formats {
namespace {
constexpr std::int32_t kBigFile = 1'000'000;  ///< Versions from here on have places of 8 bytes.
constexpr int kBigRecord = 1000;
constexpr int kMostDepth = 32;
constexpr std::size_t kMostDirectories = 4096;
constexpr std::size_t kMostKeys = std::size_t{1} << 20;
constexpr std::size_t kHeadBytes = 64;

[[noreturn]] void damaged(const std::string& reason) {
  throw Error(ErrorCode::corrupt_data, reason);
}

std::vector<std::byte> bytes_at(const InputFile& file, std::int64_t place, std::int64_t most) {
  if (place < 0 || place >= file.size()) {
    damaged(fmt::format("a record at {} lies outside the file of {} bytes", place, file.size()));
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min(most, file.size() - place)));
  file.read(place, bytes);
  return bytes;
}

/// Its place is not told by the key itself, which may have been moved.
RootKey read_key(RootBuffer& in) {
  RootKey key;
  key.bytes = in.i32();
  const int version = in.u16();
  key.object_bytes = in.i32();
  in.skip(4);  // When it was written.
  key.key_bytes = in.u16();
  key.cycle = in.u16();
  const bool big = version > kBigRecord;
  key.seek = in.seek(big);
  in.seek(big);
  key.class_name = in.text();
  key.name = in.text();
  in.text();
  return key;
}
}  // namespace

RootFile::RootFile(const std::filesystem::path& path) : file_(path) {
  in_context(path.string(), [&] {
    const auto head = bytes_at(file_, 0, kHeadBytes);
    RootBuffer in(head);
    if (in.u32() != 0x726f6f74) {  // "root"
      damaged("does not start as a ROOT file");
    }
    const bool big = in.i32() >= kBigFile;
    const std::int64_t begin = in.i32();
    end_ = in.seek(big);
    in.seek(big);
    in.skip(8);
    const std::int64_t name_bytes = in.i32();
    if (end_ > file_.size()) {
      damaged(fmt::format("says it has {} bytes and has {}", end_, file_.size()));
    }
    if (begin < 0 || name_bytes < 0) {
      damaged("its head is damaged");
    }
    read_directory(begin + name_bytes, "", 0);
  });
}

void RootFile::read_directory(std::int64_t place, const std::string& inside, int depth) {
  if (std::find(seen_.begin(), seen_.end(), place) != seen_.end()) {
    damaged(fmt::format("the directory at {} stands inside itself", place));
  }
  if (depth > kMostDepth || seen_.size() == kMostDirectories) {
    throw Error(ErrorCode::unsupported,
                fmt::format("directories more than {} deep, or more than {}", kMostDepth,
                            kMostDirectories));
  }
  seen_.push_back(place);
  const auto head = bytes_at(file_, place, kHeadBytes);
  RootBuffer in(head);
  const bool big = in.u16() > kBigRecord;
  in.skip(8);  // When it was made and changed.
  in.skip(8);  // Lengths of the keys and of the name.
  in.seek(big);
  in.seek(big);
  if (const std::int64_t keys = in.seek(big); keys != 0) {
    read_keys(keys, inside, depth);
  }
}

void RootFile::read_keys(std::int64_t seek, const std::string& inside, int depth) {
  std::vector<std::byte> bytes;
  const RootKey list = key_at(seek, bytes);
  RootBuffer in(bytes);
  in.skip(list.key_bytes);
  const std::int32_t count = in.i32();
  std::vector<RootKey> found;
  std::map<std::string, std::size_t> places;
  for (std::int32_t i = 0; i < count; ++i) {
    RootKey key = read_key(in);
    key.name.insert(0, inside);
    const auto [same, fresh] = places.emplace(key.name, found.size());
    if (fresh) {
      found.push_back(std::move(key));
    } else if (key.cycle > found[same->second].cycle) {
      found[same->second] = std::move(key);
    }
  }
  if (found.size() + keys_.size() > kMostKeys) {
    throw Error(ErrorCode::unsupported, fmt::format("more than {} objects", kMostKeys));
  }
  for (auto& key : found) {
    if (key.class_name == "TDirectory" || key.class_name == "TDirectoryFile") {
      read_directory(key.seek + key.key_bytes, key.name + '/', depth + 1);
    } else {
      keys_.push_back(std::move(key));
    }
  }
}

RootKey RootFile::key_at(std::int64_t seek, std::vector<std::byte>& bytes) const {
  const auto start = bytes_at(file_, seek, kHeadBytes);
  RootBuffer front(start);
  const std::int32_t length = front.i32();
  front.skip(2);
  const std::int32_t object_bytes = front.i32();
  front.skip(4);
  const std::uint16_t key_bytes = front.u16();
  if (length < key_bytes || length > file_.size() - seek || object_bytes < 0) {
    damaged(fmt::format("the record at {} says it has {} bytes", seek, length));
  }
  if (length > kMostBytes) {
    throw Error(ErrorCode::unsupported,
                fmt::format("the record at {} has {} bytes, at most {} are read", seek, length,
                            kMostBytes));
  }
  bytes = bytes_at(file_, seek, length);
  RootBuffer in(bytes);
  RootKey key = read_key(in);
  if (in.place() > key.key_bytes) {
    damaged(fmt::format("the key at {} is longer than it says", seek));
  }
  key.seek = seek;
  return key;
}

std::vector<std::byte> RootFile::object(const RootKey& wanted) const {
  std::vector<std::byte> bytes;
  const RootKey key = key_at(wanted.seek, bytes);
  const auto packed = std::span<const std::byte>(bytes).subspan(key.key_bytes);
  if (key.object_bytes > kMostBytes) {
    throw Error(ErrorCode::unsupported,
                fmt::format("the record at {} holds {} bytes, at most {} are read", key.seek,
                            key.object_bytes, kMostBytes));
  }
  const auto size = static_cast<std::size_t>(key.object_bytes);
  if (packed.size() == size) {
    return {packed.begin(), packed.end()};
  }
  const std::size_t unpacked = unpacked_bytes(packed);
  if (unpacked != size) {
    damaged(fmt::format("the record at {} says it holds {} bytes, its blocks {}", key.seek, size,
                        unpacked));
  }
  std::vector<std::byte> object(size);
  unpack(packed, object);
  return object;
}

}  // namespace weir::formats
