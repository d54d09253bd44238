#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace weir::formats {

/// The partial file of an output: written from front to back, removed when it dies unless kept.
class OutputFile {
 public:
  /// Opens `partial_path(path)`, keeping its first `kept` bytes (0: anew); makes missing folders.
  /// Errors: `io` naming `path`; `corrupt_data` when fewer than `kept` bytes are there.
  explicit OutputFile(const std::filesystem::path& path, std::int64_t kept = 0);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Appends. Errors: `io` naming the path and the reason (disk full, …).
  void write(std::span<const std::byte> bytes);
  /// Replaces bytes already written.
  void rewrite(std::int64_t offset, std::span<const std::byte> bytes);
  std::int64_t size() const noexcept { return size_; }
  /// Leave the partial file behind.
  void keep() noexcept { kept_ = true; }
  /// Ends writing, before the file is renamed. Errors: `io` for what the system reports late.
  void close();

 private:
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);
  void send_on() noexcept;
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
  std::int64_t sent_on_ = 0;  ///< The system has been asked to write these bytes to the disk.
  bool kept_ = false;
};

/// Makes the folders above `path`. Errors: `io` naming `path`.
void make_parent_folders(const std::filesystem::path& path);

}  // namespace weir::formats
