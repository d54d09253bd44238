#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace weir::formats {

/// What a FLAC file says of its samples.
struct FlacInfo {
  std::int64_t channels = 0;
  int bits = 0;
  std::int64_t samples = 0;  ///< Of each channel; 0 where it does not tell.
};

/// A FLAC file, read from any sample on.
/// Errors: whatever a member throws derives from `std::exception`.
class FlacFile {
 public:
  virtual ~FlacFile() = default;
  virtual const FlacInfo& info() const noexcept = 0;
  /// Samples from `first` on. Shape: `out` is [samples, channels]. Fails where the file ends
  /// before.
  virtual void read(std::int64_t first, std::span<std::int32_t> out) = 0;
};

/// What the library weir_flac gives: libFLAC, which only it knows.
struct FlacLibrary {
  static constexpr int kVersion = 1;
  int version = kVersion;
  std::unique_ptr<FlacFile> (*open)(const char* path) = nullptr;
};

/// The file, opened through the library.
/// Errors: `unsupported` when the library is not there; `corrupt_data` naming the file.
std::unique_ptr<FlacFile> open_flac(const std::string& path);
/// Reads from one. Errors: `corrupt_data` naming the file.
void read_flac(FlacFile& file, const std::string& path, std::int64_t first,
               std::span<std::int32_t> out);

}  // namespace weir::formats
