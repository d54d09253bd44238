#include "weir/formats/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "weir/core/error.h"
#include "weir/formats/writer.h"

namespace weir::formats {

void make_parent_folders(const std::filesystem::path& path) {
  if (!path.has_parent_path()) {
    return;
  }
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) {
    throw Error(ErrorCode::io, fmt::format("{}: cannot make the folder {}: {}", path.string(),
                                           path.parent_path().string(), failure.message()));
  }
}

OutputFile::OutputFile(const std::filesystem::path& path, std::int64_t kept) : path_(path) {
  make_parent_folders(path);
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (kept == 0 ? O_TRUNC : 0);
  descriptor_ = ::open(partial_path(path).c_str(), flags, 0666);
  if (descriptor_ < 0) {
    const int number = errno;
    throw Error(ErrorCode::io, fmt::format("{}: cannot create {}: {}", path.string(),
                                           partial_path(path).string(), errno_text(number)));
  }
  if (kept == 0) {
    return;
  }
  struct stat status{};
  const bool there = ::fstat(descriptor_, &status) == 0 && status.st_size >= kept;
  if (!there || ::ftruncate(descriptor_, kept) != 0) {
    ::close(std::exchange(descriptor_, -1));
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: holds {} bytes, but the checkpoint counts on {}",
                            partial_path(path).string(), status.st_size, kept));
  }
  size_ = kept;
  sent_on_ = kept;
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
  if (!kept_) {  // After a commit there is nothing left under that name.
    ::unlink(partial_path(path_).c_str());
  }
}

void OutputFile::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto count = ::pwrite(descriptor_, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      throw Error(ErrorCode::io,
                  fmt::format("{}: cannot write: {}", path_.string(), errno_text(errno)));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += count;
  }
}

void OutputFile::write(std::span<const std::byte> bytes) {
  write_at(size_, bytes);
  size_ += static_cast<std::int64_t>(bytes.size());
  send_on();
}

/// The system would gather gigabytes in memory and then make everybody wait for the disk; asked
/// early, the disk works while the run computes.
void OutputFile::send_on() noexcept {
#if defined(__linux__)
  constexpr std::int64_t kPiece = 8 << 20;
  if (size_ - sent_on_ >= kPiece) {
    // Advice: a file system that cannot follow it loses nothing.
    ::sync_file_range(descriptor_, sent_on_, size_ - sent_on_, SYNC_FILE_RANGE_WRITE);
    sent_on_ = size_;
  }
#endif
}

void OutputFile::rewrite(std::int64_t offset, std::span<const std::byte> bytes) {
  WEIR_CHECK(offset + static_cast<std::int64_t>(bytes.size()) <= size_);
  write_at(offset, bytes);
}

void OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    throw Error(ErrorCode::io,
                fmt::format("{}: cannot write: {}", path_.string(), errno_text(errno)));
  }
}

}  // namespace weir::formats
