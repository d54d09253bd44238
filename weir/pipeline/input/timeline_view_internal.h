#pragma once

#include <memory>
#include <vector>

#include "weir/core/recording.h"
#include "weir/pipeline/input/timeline_internal.h"

namespace weir::pipeline {

/// Chosen channels of one or more sources, along a timeline. Filled frames hold 0 physical units.
/// All sources have the same channels. Cost: one call of a source per piece that a read touches.
class TimelineView final : public RecordingSource {
 public:
  /// `channels` are indices into those of the sources; `info` describes them and the timeline.
  TimelineView(std::vector<std::unique_ptr<RecordingSource>> sources, Timeline timeline,
               std::vector<std::int64_t> channels, RecordingInfo info);

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override;
  bool stored_as_int16() const noexcept override { return stored_; }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override;
  std::int64_t preferred_frames() const noexcept override;
  std::size_t cache_bytes(std::int64_t frames) const noexcept override;

 private:
  template <class T, class ReadPiece>
  void read_pieces(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<T> out, const ReadPiece& read_piece) const;

  std::vector<std::unique_ptr<RecordingSource>> sources_;
  std::vector<std::vector<Piece>> pieces_;         ///< By segment.
  std::vector<std::vector<std::int64_t>> starts_;  ///< First frame of each piece in its segment.
  std::vector<std::int64_t> channels_;
  std::vector<double> fill_;  ///< Counts that mean 0 physical units, by channel.
  RecordingInfo info_;
  bool stored_ = false;
};

}  // namespace weir::pipeline
