#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "weir/formats/input_file.h"

namespace weir::formats {

/// What stands in front of every record of a file.
struct RootKey {
  std::int64_t seek = 0;  ///< Where the record starts.
  std::int32_t bytes = 0;
  std::int32_t object_bytes = 0;  ///< Unpacked.
  std::uint16_t key_bytes = 0;
  std::uint16_t cycle = 0;
  std::string class_name;
  std::string name;  ///< With the directories it lies in: "detector/tree".
};

/// A ROOT file: its records, found through its directories.
/// Threads: every member may be called from several threads at once.
class RootFile {
 public:
  /// Errors: `not_found`, `io`; `corrupt_data` naming the file.
  explicit RootFile(const std::filesystem::path& path);
  const std::filesystem::path& path() const noexcept { return file_.path(); }
  /// The objects of all directories, of each the last cycle, in the order of the file.
  const std::vector<RootKey>& keys() const noexcept { return keys_; }

  /// The key that stands at a place, as it says itself, and its bytes.
  /// Errors: `corrupt_data` for one that leads out of the file.
  RootKey key_at(std::int64_t seek, std::vector<std::byte>& bytes) const;
  /// What a record holds, unpacked.
  /// Errors: `corrupt_data`; `unsupported` for an unknown compression and beyond `kMostBytes`.
  std::vector<std::byte> object(const RootKey& key) const;
  static constexpr std::int32_t kMostBytes = 256 << 20;

 private:
  void read_directory(std::int64_t place, const std::string& inside, int depth);
  void read_keys(std::int64_t seek, const std::string& inside, int depth);

  InputFile file_;
  std::int64_t end_ = 0;
  std::vector<RootKey> keys_;
  std::vector<std::int64_t> seen_;  ///< Places of the directories that were read.
};

}  // namespace weir::formats
