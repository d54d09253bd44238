#include "weir/formats/kinds/zarr/zarr_source.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <list>
#include <mutex>

#include "weir/core/error.h"
#include "weir/core/parallel_loop.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {

/// The chunks decoded last: a block that ends inside a chunk is followed by one that starts there.
class RecentChunks {
 public:
  explicit RecentChunks(std::size_t capacity) : capacity_(capacity) {}

  ZarrChunk find(std::int64_t segment, std::int64_t row, std::int64_t column) {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : entries_) {
      if (entry.segment == segment && entry.row == row && entry.column == column) {
        return entry.chunk;
      }
    }
    return nullptr;
  }

  void keep(std::int64_t segment, std::int64_t row, std::int64_t column, ZarrChunk chunk) {
    const std::lock_guard lock(mutex_);
    entries_.push_front({segment, row, column, std::move(chunk)});
    if (entries_.size() > capacity_) {
      entries_.pop_back();
    }
  }

 private:
  struct Entry {
    std::int64_t segment;
    std::int64_t row;
    std::int64_t column;
    ZarrChunk chunk;
  };
  std::mutex mutex_;
  std::list<Entry> entries_;
  std::size_t capacity_;
};

/// What one call wants.
template <class T>
struct Wanted {
  std::int64_t segment;
  std::int64_t first;
  std::span<const std::int64_t> channels;
  Block<T> out;
};

class ZarrSource final : public RecordingSource {
 public:
  ZarrSource(std::vector<ZarrArray> segments, RecordingInfo info)
      : segments_(std::move(segments)), info_(std::move(info)), recent_(2 * column_chunks()) {}

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    read_as(Wanted<float>{segment, first, channels, out});
  }
  bool stored_as_int16() const noexcept override { return fits_int16(info_.stored); }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    WEIR_CHECK(stored_as_int16());
    read_as(Wanted<std::int16_t>{segment, first, channels, out});
  }
  std::int64_t preferred_frames() const noexcept override {
    return segments_.empty() ? 0 : segments_.front().metadata().chunk[0];
  }
  std::size_t cache_bytes(std::int64_t frames) const noexcept override {
    std::int64_t chunk_bytes = 0;
    std::int64_t chunk_frames = 1;
    for (const auto& segment : segments_) {
      const auto& metadata = segment.metadata();
      const std::int64_t bytes = metadata.chunk_samples() * stored_bytes(metadata.type);
      if (bytes > chunk_bytes) {
        chunk_bytes = bytes;
        chunk_frames = metadata.chunk[0];
      }
    }
    // Each worker holds a chunk and its stored bytes, which are at most a little longer.
    const std::int64_t at_once = std::min<std::int64_t>(
        frames / chunk_frames + 2, std::max(1, tbb::this_task_arena::max_concurrency()));
    return static_cast<std::size_t>(chunk_bytes) *
           (2 * column_chunks() + 2 * static_cast<std::size_t>(at_once));
  }

 private:
  std::size_t column_chunks() const noexcept {
    std::int64_t most = 1;
    for (const auto& segment : segments_) {
      const std::int64_t width = segment.metadata().chunk[1];
      most = std::max(most, (info_.channel_count() + width - 1) / width);
    }
    return static_cast<std::size_t>(most);
  }

  template <class T>
  void read_as(const Wanted<T>& wanted) const {
    const auto& out = wanted.out;
    WEIR_CHECK(wanted.segment >= 0 && wanted.segment < std::ssize(segments_));
    WEIR_CHECK(wanted.first >= 0 &&
               wanted.first <= info_.segments[wanted.segment].frames - out.frames());
    WEIR_CHECK(out.channels() == std::ssize(wanted.channels));
    if (out.frames() == 0 || out.channels() == 0) {
      return;
    }
    const std::int64_t length = segments_[wanted.segment].metadata().chunk[0];
    const std::int64_t first = wanted.first / length;
    const std::int64_t last = (wanted.first + out.frames() - 1) / length;
    if (first == last) {
      read_chunk_row(wanted, first, true);
      return;
    }
    // Isolated: a waiting thread must not take up work that waits for this read.
    tbb::this_task_arena::isolate([&] {
      parallel_loop(last + 1 - first, [&](std::int64_t i) {
        const std::int64_t row = first + i;
        read_chunk_row(wanted, row, row == first || row == last);
      });
    });
  }

  /// The part of a read that lies in one row of chunks.
  template <class T>
  void read_chunk_row(const Wanted<T>& wanted, std::int64_t row, bool keep) const {
    const auto& metadata = segments_[wanted.segment].metadata();
    const std::int64_t length = metadata.chunk[0];
    const std::int64_t width = metadata.chunk[1];
    const std::int64_t begin = std::max(wanted.first, row * length);
    const std::int64_t end = std::min(wanted.first + wanted.out.frames(), row * length + length);
    const auto target = wanted.out.slice(begin - wanted.first, end - begin);
    std::vector<std::int64_t> local;
    for (std::size_t i = 0; i < wanted.channels.size();) {
      const std::int64_t column = wanted.channels[i] / width;
      local.clear();
      const auto from = static_cast<std::int64_t>(i);
      for (; i < wanted.channels.size() && wanted.channels[i] / width == column; ++i) {
        local.push_back(wanted.channels[i] % width);
      }
      const ZarrChunk chunk = fetch(wanted.segment, row, column, keep);
      const std::int64_t skipped = (begin - row * length) * width * stored_bytes(metadata.type);
      unpack_rows(metadata.type, chunk->data() + skipped, width, local,
                  target.columns(from, std::ssize(local)));
    }
  }

  ZarrChunk fetch(std::int64_t segment, std::int64_t row, std::int64_t column, bool keep) const {
    if (ZarrChunk chunk = recent_.find(segment, row, column)) {
      return chunk;
    }
    ZarrChunk chunk = segments_[segment].chunk(row, column);
    if (keep) {
      recent_.keep(segment, row, column, chunk);
    }
    return chunk;
  }

  std::vector<ZarrArray> segments_;
  RecordingInfo info_;
  mutable RecentChunks recent_;
};
}  // namespace

std::unique_ptr<RecordingSource> make_zarr_source(std::vector<ZarrArray> segments,
                                                  RecordingInfo info) {
  return std::make_unique<ZarrSource>(std::move(segments), std::move(info));
}

}  // namespace weir::formats
