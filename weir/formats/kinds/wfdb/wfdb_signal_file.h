#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "weir/formats/input_file.h"

namespace weir::formats {

/// One signal file of a record: frames, in each of which every signal has one sample or more.
/// The file is opened anew for each read, so that a record of many does not run out of them.
/// Threads: every const member may be called from several threads at once.
class WfdbSignalFile {
 public:
  /// Shape:  `samples[i]` is how many signal i has in a frame.
  /// `byte_offset` counts samples where the file is compressed (FLAC).
  /// Errors: `not_found`, `io` naming the file; `unsupported` for frames beyond 2^22 samples;
  /// `corrupt_data` for a FLAC file that holds something else.
  WfdbSignalFile(std::filesystem::path path, int format, std::int64_t byte_offset,
                 std::vector<std::int64_t> samples);
  const std::filesystem::path& path() const noexcept { return path_; }
  std::int64_t bytes() const noexcept { return size_; }
  std::int64_t frame_samples() const noexcept { return frame_samples_; }
  const std::vector<std::int64_t>& samples() const noexcept { return samples_; }
  int format() const noexcept { return format_; }
  /// Whole frames it holds.
  std::int64_t frames() const noexcept;
  /// Bytes that `frames` frames need, with what stands in front of them.
  std::int64_t bytes_for(std::int64_t frames) const noexcept;
  /// Frames that are read at once.
  std::int64_t piece_frames() const noexcept;
  /// What reading a piece holds, and what the file itself does.
  std::size_t held_bytes() const noexcept;

  /// Where the samples are differences (format 8): the value in front of each signal's first, from
  /// which all are summed up once, to find any of them later. Errors: `io`.
  void start_from(const std::vector<std::int32_t>& values);

  /// Range: `count` frames, at most a piece, that are there.
  /// Shape: `out` is [count, frame_samples()].
  void read(std::int64_t first, std::int64_t count, std::span<std::int32_t> out) const;

 private:
  void unpack(const InputFile& file, std::int64_t first, std::int64_t count,
              std::span<std::int32_t> out) const;
  void open_as_flac();
  void read_compressed(std::int64_t first, std::int64_t count, std::span<std::int32_t> out) const;
  void add_up(std::span<std::int32_t> frames, std::span<std::int32_t> sums) const;

  std::filesystem::path path_;
  std::int64_t size_ = 0;
  int format_;
  std::int64_t byte_offset_;
  std::vector<std::int64_t> samples_;
  std::int64_t frame_samples_ = 0;
  std::int64_t flac_samples_ = 0;   ///< Of each signal, in a FLAC file.
  std::vector<std::int32_t> sums_;  ///< Of each signal, in front of each piece.
};

}  // namespace weir::formats
