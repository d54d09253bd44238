#include "weir/core/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "weir/core/error.h"

namespace weir {

TemporaryFile::TemporaryFile(const std::filesystem::path& folder) : folder_(folder) {
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {
    std::string name = (folder / "weir-XXXXXX").string();
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
      throw_errno(folder.string(), "cannot create a temporary file");
    }
    ::unlink(name.c_str());
  }
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : folder_(std::move(other.folder_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

TemporaryFile& TemporaryFile::operator=(TemporaryFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

void TemporaryFile::write(std::int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto count = ::pwrite(descriptor_, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      throw_errno(folder_.string(), "cannot write temporary data");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += count;
  }
}

void TemporaryFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const auto count = ::pread(descriptor_, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      throw_errno(folder_.string(), "cannot read temporary data");
    }
    if (count == 0) {
      throw Error(ErrorCode::io, folder_.string() + ": temporary data ends early");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += count;
  }
}

std::filesystem::path temporary_folder(const std::filesystem::path& configured) {
  if (!configured.empty()) {
    return configured;
  }
  const char* variable = std::getenv("TMPDIR");
  return variable != nullptr && *variable != '\0' ? variable : "/tmp";
}

}  // namespace weir
