#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace weir {

/// An unnamed file for data that does not fit memory: gone when closed, whatever happens to the
/// process. Threads: `write` and `read` of different ranges may run at once.
class TemporaryFile {
 public:
  /// Errors: `io` naming the folder.
  explicit TemporaryFile(const std::filesystem::path& folder);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&& other) noexcept;
  ~TemporaryFile();

  /// Errors: `io` (disk full, …) naming the folder.
  void write(std::int64_t offset, std::span<const std::byte> bytes);
  void read(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  std::filesystem::path folder_;
  int descriptor_ = -1;
};

/// The folder for temporary data: `configured` if not empty, else TMPDIR, else /tmp.
std::filesystem::path temporary_folder(const std::filesystem::path& configured);

}  // namespace weir
