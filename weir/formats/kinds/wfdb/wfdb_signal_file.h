#pragma once

#include <cstdint>
#include <filesystem>

#include "weir/formats/input_file.h"

namespace weir::formats {

/// One signal file of a record: samples of `channels` signals, one of each in turn.
/// Threads: every member may be called from several threads at once.
class WfdbSignalFile {
 public:
  /// Errors: `not_found`, `io` naming the file.
  WfdbSignalFile(const std::filesystem::path& path, int format, std::int64_t byte_offset,
                 std::int64_t channels);
  const std::filesystem::path& path() const noexcept { return file_.path(); }
  std::int64_t bytes() const noexcept { return file_.size(); }
  std::int64_t channels() const noexcept { return channels_; }
  int format() const noexcept { return format_; }
  /// Whole frames it holds.
  std::int64_t frames() const noexcept;
  /// Bytes that `frames` frames need, with what stands in front of them.
  std::int64_t bytes_for(std::int64_t frames) const noexcept;
  /// The number that stands for "no sample here".
  std::int16_t invalid_sample() const noexcept;
  /// Shape: `out` is [count, channels()], packed.
  void read(std::int64_t first, std::int64_t count, std::int16_t* out) const;

 private:
  InputFile file_;
  int format_;
  std::int64_t byte_offset_;
  std::int64_t channels_;
};

}  // namespace weir::formats
