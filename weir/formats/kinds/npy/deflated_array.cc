#include "weir/formats/kinds/npy/deflated_array.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <utility>

#include "weir/core/error.h"
#include "weir/formats/inflate.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

std::string shown(const InputFile& archive, const ZipMember& member) {
  return fmt::format("{}: {}", archive.path().string(), member.name);
}

/// The member's bytes in the archive, piece by piece.
NextBytes bytes_of(const InputFile& archive, const ZipMember& member) {
  return [&archive, at = member_start(archive, member),
          left = member.bytes](std::span<std::byte> piece) mutable {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(piece), left));
    archive.read(at, piece.first(count));
    at += static_cast<std::int64_t>(count);
    left -= static_cast<std::int64_t>(count);
    return count;
  };
}

/// A file for a while: it has no name once it is open, and goes when it is closed.
class TemporaryFile {
 public:
  TemporaryFile() : name_((fs::temp_directory_path() / "weir-npz-XXXXXX").string()) {
    descriptor_ = ::mkstemp(name_.data());
    if (descriptor_ < 0) {
      throw_errno(name_, "cannot create");
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    ::close(descriptor_);
    ::unlink(name_.c_str());
  }

  void append(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) {
        throw Error(ErrorCode::io, fmt::format("{}: cannot write: {}", name_, errno_text(errno)));
      }
      bytes = bytes.subspan(static_cast<std::size_t>(std::max<::ssize_t>(written, 0)));
    }
  }
  InputFile open() const { return InputFile(name_); }

 private:
  std::string name_;
  int descriptor_ = -1;
};

class DeflatedSource final : public RecordingSource {
 public:
  DeflatedSource(InputFile archive, ZipMember member, const DenseLayout& layout, RecordingInfo info)
      : archive_(std::move(archive)),
        member_(std::move(member)),
        layout_(layout),
        info_(std::move(info)) {}

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    unpacked().read(segment, first, channels, out);
  }
  bool stored_as_int16() const noexcept override { return fits_int16(info_.stored); }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    unpacked().read_stored(segment, first, channels, out);
  }
  std::size_t cache_bytes(std::int64_t) const noexcept override {
    // What a dense source holds at most, and the pieces that unpacking goes through.
    constexpr std::int64_t kPiece = std::int64_t{256} << 10;
    const std::int64_t row = stored_bytes(info_.stored) * info_.channel_count();
    return static_cast<std::size_t>(std::max(kPiece, row) + kPiece);
  }

 private:
  const RecordingSource& unpacked() const {
    std::call_once(once_, [&] { source_ = unpack(); });
    return *source_;
  }

  std::unique_ptr<RecordingSource> unpack() const {
    const TemporaryFile file;
    ::uLong checksum = ::crc32(0, nullptr, 0);
    in_context(shown(archive_, member_), [&] {
      const std::int64_t size = inflate_stream(
          bytes_of(archive_, member_), member_.unpacked_bytes + 1,
          [&](std::span<const std::byte> piece) {
            checksum = ::crc32(checksum, reinterpret_cast<const Bytef*>(piece.data()),
                               static_cast<uInt>(piece.size()));
            file.append(piece);
          });
      if (size != member_.unpacked_bytes || checksum != member_.checksum) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("unpacks to {} bytes with checksum {:08x}, where the archive says "
                                "{} and {:08x}",
                                size, checksum, member_.unpacked_bytes, member_.checksum));
      }
    });
    RecordingInfo info = info_;
    return make_dense_source(file.open(), layout_, std::move(info));
  }

  InputFile archive_;
  ZipMember member_;
  DenseLayout layout_;
  RecordingInfo info_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<RecordingSource> source_;
};
}  // namespace

std::vector<std::byte> unpack_start(const InputFile& archive, const ZipMember& member,
                                    std::int64_t bytes) {
  std::vector<std::byte> start;
  in_context(shown(archive, member), [&] {
    inflate_stream(bytes_of(archive, member), std::min(bytes, member.unpacked_bytes),
                   [&](std::span<const std::byte> piece) {
                     start.insert(start.end(), piece.begin(), piece.end());
                   });
  });
  return start;
}

std::unique_ptr<RecordingSource> make_deflated_source(InputFile archive, ZipMember member,
                                                      const DenseLayout& layout,
                                                      RecordingInfo info) {
  return std::make_unique<DeflatedSource>(std::move(archive), std::move(member), layout,
                                          std::move(info));
}

}  // namespace weir::formats
