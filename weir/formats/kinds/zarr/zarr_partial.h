#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "weir/core/value.h"

namespace weir::formats {

/// The partial folder of a store that is being written, removed when it dies unless kept. Every
/// file in it is written under another name and renamed, so each is whole or absent.
class ZarrPartial {
 public:
  /// `resumed`: go on in the folder that is there; else any left-over goes first.
  /// Errors: `io` naming `path`; `corrupt_data` when there is nothing to resume.
  enum class Start { anew, resumed };
  ZarrPartial(const std::filesystem::path& path, Start start);
  ZarrPartial(const ZarrPartial&) = delete;
  ZarrPartial& operator=(const ZarrPartial&) = delete;
  ~ZarrPartial();

  void keep() noexcept { kept_ = true; }
  /// A file by its path inside the store. Errors: `io` naming it.
  void write(const std::filesystem::path& inside,
             const std::vector<std::vector<std::byte>>& pieces);
  void write(const std::filesystem::path& inside, const Value& document);
  std::int64_t bytes_written() const noexcept { return bytes_written_; }
  void set_bytes_written(std::int64_t bytes) noexcept { bytes_written_ = bytes; }

 private:
  std::filesystem::path path_;
  std::filesystem::path folder_;
  std::int64_t bytes_written_ = 0;
  bool kept_ = false;
};

}  // namespace weir::formats
