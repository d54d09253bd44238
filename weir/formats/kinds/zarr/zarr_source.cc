#include "weir/formats/kinds/zarr/zarr_source.h"

#include <algorithm>
#include <utility>

#include "weir/core/error.h"
#include "weir/formats/chunk_source.h"

namespace weir::formats {
namespace {
class ZarrChunks final : public ChunkDecoder {
 public:
  ZarrChunks(std::vector<ZarrArray> segments, SampleOrder order)
      : segments_(std::move(segments)), order_(order) {
    for (const auto& segment : segments_) {
      held_bytes_ += segment.index_bytes();
      // Stored bytes are at most a little longer than the samples.
      scratch_bytes_ =
          std::max(scratch_bytes_, static_cast<std::size_t>(segment.metadata().chunk_bytes()) *
                                       decode_buffers(segment.metadata().codecs));
    }
  }

  void decode(std::int64_t segment, std::int64_t row, std::int64_t column,
              std::span<std::byte> samples) const override {
    const ZarrArray& array = segments_[static_cast<std::size_t>(segment)];
    const bool time_first = order_ == SampleOrder::time_major;
    array.read_chunk(array.metadata().shape.size() == 1 ? ZarrPlace{row}
                     : time_first                       ? ZarrPlace{row, column}
                                                        : ZarrPlace{column, row},
                     samples);
  }
  std::size_t scratch_bytes() const noexcept override { return scratch_bytes_; }
  std::size_t held_bytes() const noexcept override { return held_bytes_; }

 private:
  std::vector<ZarrArray> segments_;
  SampleOrder order_;
  std::size_t scratch_bytes_ = 0;
  std::size_t held_bytes_ = 0;
};
}  // namespace

std::unique_ptr<RecordingSource> make_zarr_source(std::vector<ZarrArray> segments,
                                                  RecordingInfo info) {
  std::vector<ChunkGrid> grids;
  for (const auto& segment : segments) {
    const auto& chunk = segment.metadata().chunk;
    WEIR_CHECK(chunk.size() == 1 || chunk.size() == 2);
    ChunkGrid grid{.frames = chunk[0], .channels = 1, .order = info.order};
    if (chunk.size() == 2) {
      grid.channels = chunk[1];
      if (info.order == SampleOrder::channel_major) {
        std::swap(grid.frames, grid.channels);
      }
    }
    grids.push_back(std::move(grid));
  }
  const SampleOrder order = info.order;
  return make_chunk_source(std::make_unique<ZarrChunks>(std::move(segments), order),
                           std::move(grids), std::move(info));
}

}  // namespace weir::formats
