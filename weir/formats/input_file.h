#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace weir::formats {

/// A file open for reading at any place, by `pread` (no maps: a cap on memory stays a cap).
/// Threads: every member may be called from several threads at once.
class InputFile {
 public:
  /// Errors: `not_found`, `io` naming the path.
  explicit InputFile(const std::filesystem::path& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Bytes when it was opened.
  std::int64_t size() const noexcept { return size_; }
  /// Fills `bytes` from `offset` on.
  /// Errors: `io`; `corrupt_data` naming the place when the file ends before.
  void read(std::int64_t offset, std::span<std::byte> bytes) const;
  /// As `read`, but tells how many bytes there were instead of refusing fewer.
  std::size_t read_some(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

/// Whether something stands at `path`; false also when that cannot be found out.
bool stands_at(const std::filesystem::path& path) noexcept;

}  // namespace weir::formats
