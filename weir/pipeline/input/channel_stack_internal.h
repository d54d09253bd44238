#pragma once

#include <memory>
#include <vector>

#include "weir/core/recording.h"

namespace weir::pipeline {

/// Several recordings of the same rate and lengths side by side: the channels of the first, then
/// those of the second, …
class ChannelStack final : public RecordingSource {
 public:
  /// Errors: `invalid_spec` "join: …" naming the file that differs.
  explicit ChannelStack(std::vector<std::unique_ptr<RecordingSource>> sources);

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override;
  bool stored_as_int16() const noexcept override;
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override;
  std::int64_t preferred_frames() const noexcept override;
  std::size_t cache_bytes(std::int64_t frames) const noexcept override;

 private:
  struct Column {
    std::size_t source = 0;
    std::int64_t channel = 0;
  };
  template <class T, class ReadRun>
  void read_runs(std::span<const std::int64_t> channels, Block<T> out,
                 const ReadRun& read_run) const;

  std::vector<std::unique_ptr<RecordingSource>> sources_;
  std::vector<Column> columns_;
  RecordingInfo info_;
};

}  // namespace weir::pipeline
