#include "weir/formats/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "weir/core/error.h"

namespace weir::formats {

InputFile::InputFile(const std::filesystem::path& path) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (descriptor_ < 0) {
    throw_errno(path.string(), "cannot open");
  }
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    const int number = errno;
    ::close(std::exchange(descriptor_, -1));
    if (known) {
      throw Error(ErrorCode::io, fmt::format("{}: is no ordinary file", path.string()));
    }
    errno = number;
    throw_errno(path.string(), "cannot open");
  }
  size_ = status.st_size;
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

std::size_t InputFile::read_some(std::int64_t offset, std::span<std::byte> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto count = ::pread(descriptor_, bytes.data() + done, bytes.size() - done,
                               offset + static_cast<std::int64_t>(done));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      throw_errno(path_.string(), fmt::format("cannot read at byte {}", offset));
    }
    if (count == 0) {
      break;
    }
    done += static_cast<std::size_t>(count);
  }
  return done;
}

void InputFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
  const std::size_t count = read_some(offset, bytes);
  if (count < bytes.size()) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: ends at byte {}, needed up to {}", path_.string(),
                            offset + static_cast<std::int64_t>(count),
                            offset + static_cast<std::int64_t>(bytes.size())));
  }
}

bool stands_at(const std::filesystem::path& path) noexcept {
  std::error_code failure;
  return std::filesystem::exists(path, failure);
}

}  // namespace weir::formats
