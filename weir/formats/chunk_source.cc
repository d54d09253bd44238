#include "weir/formats/chunk_source.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <compare>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/parallel_loop.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
using Chunk = std::shared_ptr<const std::byte[]>;

struct ChunkPlace {
  std::int64_t segment;
  std::int64_t row;
  std::int64_t column;
  friend auto operator<=>(const ChunkPlace&, const ChunkPlace&) = default;
};

/// Buffers of one size that were used and are free again: fresh pages cost more than what is done
/// with them.
class ChunkBuffers : public std::enable_shared_from_this<ChunkBuffers> {
 public:
  ChunkBuffers(std::size_t bytes, std::size_t kept) : bytes_(bytes), kept_(kept) {}

  std::shared_ptr<std::byte[]> take() {
    std::unique_ptr<std::byte[]> buffer;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        buffer = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (!buffer) {
      buffer = std::make_unique_for_overwrite<std::byte[]>(bytes_);
    }
    return {buffer.release(), [self = shared_from_this()](std::byte* bytes) {
              self->give_back(std::unique_ptr<std::byte[]>(bytes));
            }};
  }

 private:
  void give_back(std::unique_ptr<std::byte[]> buffer) {
    const std::lock_guard lock(mutex_);
    if (free_.size() < kept_) {
      free_.push_back(std::move(buffer));
    }
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<std::byte[]>> free_;
  std::size_t bytes_;
  std::size_t kept_;
};

/// The chunks decoded last: a block that ends inside a chunk is followed by one that starts there.
class RecentChunks {
 public:
  explicit RecentChunks(std::size_t capacity) : capacity_(capacity) {}

  Chunk find(const ChunkPlace& place) {
    const std::lock_guard lock(mutex_);
    const auto found = chunks_.find(place);
    return found == chunks_.end() ? nullptr : found->second;
  }

  void keep(const ChunkPlace& place, Chunk chunk) {
    const std::lock_guard lock(mutex_);
    if (!chunks_.emplace(place, std::move(chunk)).second) {
      return;  // Another thread was quicker.
    }
    order_.push_back(place);
    if (order_.size() > capacity_) {
      chunks_.erase(order_.front());
      order_.pop_front();
    }
  }

 private:
  std::mutex mutex_;
  std::map<ChunkPlace, Chunk> chunks_;
  std::deque<ChunkPlace> order_;  ///< Oldest first.
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

std::int64_t row_of(const ChunkGrid& grid, std::int64_t frame) noexcept {
  if (grid.bounds.empty()) {
    return frame / grid.frames;
  }
  const auto after = std::upper_bound(grid.bounds.begin(), grid.bounds.end(), frame);
  return after - grid.bounds.begin() - 1;
}

std::pair<std::int64_t, std::int64_t> frames_of(const ChunkGrid& grid, std::int64_t row) noexcept {
  if (grid.bounds.empty()) {
    return {row * grid.frames, (row + 1) * grid.frames};
  }
  const auto at = static_cast<std::size_t>(row);
  return {grid.bounds[at], grid.bounds[at + 1]};
}

class ChunkSource final : public RecordingSource {
 public:
  ChunkSource(std::unique_ptr<ChunkDecoder> decoder, std::vector<ChunkGrid> grids,
              RecordingInfo info)
      : decoder_(std::move(decoder)),
        grids_(std::move(grids)),
        info_(std::move(info)),
        sample_bytes_(stored_bytes(info_.stored)),
        recent_(2 * columns()),
        buffers_(std::make_shared<ChunkBuffers>(chunk_bytes(), 2 * columns() + workers())) {}

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
    return grids_.empty() ? 0 : grids_.front().frames;
  }
  std::size_t cache_bytes(std::int64_t frames) const noexcept override {
    std::int64_t shortest = INT64_MAX;
    for (const auto& grid : grids_) {
      shortest = std::min(shortest, grid.frames);
    }
    const std::int64_t touched = grids_.empty() ? 0 : frames / shortest + 2;
    const std::size_t at_once = std::min(static_cast<std::size_t>(touched), workers());
    return chunk_bytes() * (2 * columns() + at_once) + decoder_->scratch_bytes() * at_once +
           decoder_->held_bytes();
  }

 private:
  static std::size_t workers() noexcept {
    return static_cast<std::size_t>(std::max(1, tbb::this_task_arena::max_concurrency()));
  }
  std::size_t chunk_bytes() const noexcept {
    std::int64_t most = 0;
    for (const auto& grid : grids_) {
      most = std::max(most, grid.chunk_samples() * sample_bytes_);
    }
    return static_cast<std::size_t>(most);
  }
  std::size_t columns() const noexcept {
    std::int64_t most = 1;
    for (const auto& grid : grids_) {
      most = std::max(most, (info_.channel_count() + grid.channels - 1) / grid.channels);
    }
    return static_cast<std::size_t>(most);
  }

  template <class T>
  void read_as(const Wanted<T>& wanted) const {
    const auto& out = wanted.out;
    WEIR_CHECK(wanted.segment >= 0 && wanted.segment < std::ssize(grids_));
    WEIR_CHECK(wanted.first >= 0 &&
               wanted.first <= info_.segments[wanted.segment].frames - out.frames());
    WEIR_CHECK(out.channels() == std::ssize(wanted.channels));
    if (out.frames() == 0 || out.channels() == 0) {
      return;
    }
    const ChunkGrid& grid = grids_[wanted.segment];
    const std::int64_t first = row_of(grid, wanted.first);
    const std::int64_t last = row_of(grid, wanted.first + out.frames() - 1);
    if (first == last) {
      read_row(wanted, first, true);
      return;
    }
    // Isolated: a waiting thread must not take up work that waits for this read.
    tbb::this_task_arena::isolate([&] {
      parallel_loop(last + 1 - first, [&](std::int64_t i) {
        const std::int64_t row = first + i;
        read_row(wanted, row, row == first || row == last);
      });
    });
  }

  /// The part of a read that lies in one row of chunks.
  template <class T>
  void read_row(const Wanted<T>& wanted, std::int64_t row, bool keep) const {
    const ChunkGrid& grid = grids_[wanted.segment];
    const auto [start, stop] = frames_of(grid, row);
    const std::int64_t begin = std::max(wanted.first, start);
    const std::int64_t end = std::min(wanted.first + wanted.out.frames(), stop);
    const auto target = wanted.out.slice(begin - wanted.first, end - begin);
    std::vector<std::int64_t> local;
    for (std::size_t i = 0; i < wanted.channels.size();) {
      const std::int64_t column = wanted.channels[i] / grid.channels;
      local.clear();
      const auto from = static_cast<std::int64_t>(i);
      for (; i < wanted.channels.size() && wanted.channels[i] / grid.channels == column; ++i) {
        local.push_back(wanted.channels[i] % grid.channels);
      }
      const ChunkPlace place{wanted.segment, row, column};
      const auto part = target.columns(from, std::ssize(local));
      if (end - begin == grid.frames && decode_into(place, local, part)) {
        continue;
      }
      const Chunk chunk = fetch(place, keep);
      unpack(grid, chunk.get(), begin - start, local, part);
    }
  }

  /// A whole chunk to where it is wanted, where that looks as the chunk does: one pass over memory
  /// less.
  template <class T>
  bool decode_into(const ChunkPlace& place, std::span<const std::int64_t> channels,
                   Block<T> target) const {
    const ChunkGrid& grid = grids_[place.segment];
    const auto own = std::is_same_v<T, float> ? StoredType::float32 : StoredType::int16;
    if (info_.stored != own || grid.order != SampleOrder::time_major ||
        target.stride() != grid.channels || std::ssize(channels) != grid.channels ||
        std::adjacent_find(channels.begin(), channels.end(), std::greater_equal<>()) !=
            channels.end() ||
        recent_.find(place) != nullptr) {
      return false;
    }
    const std::span samples(target.data(), static_cast<std::size_t>(grid.chunk_samples()));
    decoder_->decode(place.segment, place.row, place.column, std::as_writable_bytes(samples));
    return true;
  }

  template <class T>
  void unpack(const ChunkGrid& grid, const std::byte* samples, std::int64_t skipped,
              std::span<const std::int64_t> channels, Block<T> target) const {
    if (grid.order == SampleOrder::time_major) {
      unpack_rows(info_.stored, samples + skipped * grid.channels * sample_bytes_, grid.channels,
                  channels, target);
      return;
    }
    // Neighbours together: each line of the cache is then used up before it goes.
    for (std::size_t i = 0; i < channels.size();) {
      std::size_t end = i + 1;
      while (end < channels.size() && channels[end] == channels[end - 1] + 1) {
        ++end;
      }
      const std::int64_t at = channels[i] * grid.frames + skipped;
      unpack_columns(
          info_.stored, samples + at * sample_bytes_, grid.frames,
          target.columns(static_cast<std::int64_t>(i), static_cast<std::int64_t>(end - i)));
      i = end;
    }
  }

  Chunk fetch(const ChunkPlace& place, bool keep) const {
    if (Chunk chunk = recent_.find(place)) {
      return chunk;
    }
    const ChunkGrid& grid = grids_[place.segment];
    auto buffer = buffers_->take();
    decoder_->decode(
        place.segment, place.row, place.column,
        {buffer.get(), static_cast<std::size_t>(grid.chunk_samples() * sample_bytes_)});
    Chunk chunk = std::move(buffer);
    if (keep) {
      recent_.keep(place, chunk);
    }
    return chunk;
  }

  std::unique_ptr<ChunkDecoder> decoder_;
  std::vector<ChunkGrid> grids_;
  RecordingInfo info_;
  std::int64_t sample_bytes_;
  mutable RecentChunks recent_;
  std::shared_ptr<ChunkBuffers> buffers_;
};
}  // namespace

std::unique_ptr<RecordingSource> make_chunk_source(std::unique_ptr<ChunkDecoder> decoder,
                                                   std::vector<ChunkGrid> grids,
                                                   RecordingInfo info) {
  WEIR_CHECK(grids.size() == info.segments.size());
  return std::make_unique<ChunkSource>(std::move(decoder), std::move(grids), std::move(info));
}

}  // namespace weir::formats
