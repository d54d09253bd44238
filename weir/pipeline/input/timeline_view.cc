#include <algorithm>
#include <cmath>

#include "weir/pipeline/input/timeline_view_internal.h"

namespace weir::pipeline {
namespace {
double zero_count(const Channel& channel) {
  return channel.offset == 0 || channel.gain == 0 ? 0 : -channel.offset / channel.gain;
}

bool is_int16(double count) {
  return std::trunc(count) == count && count >= INT16_MIN && count <= INT16_MAX;
}
}  // namespace

TimelineView::TimelineView(std::vector<std::unique_ptr<RecordingSource>> sources, Timeline timeline,
                           std::vector<std::int64_t> channels, RecordingInfo info)
    : sources_(std::move(sources)), channels_(std::move(channels)), info_(std::move(info)) {
  bool filled = false;
  for (auto& stretch : timeline.stretches) {
    std::vector<std::int64_t> starts;
    std::int64_t at = 0;
    for (const auto& piece : stretch.pieces) {
      filled = filled || piece.source == Piece::kFilled;
      starts.push_back(at);
      at += piece.frames;
    }
    starts_.push_back(std::move(starts));
    pieces_.push_back(std::move(stretch.pieces));
  }
  for (const auto& channel : info_.channels) {
    fill_.push_back(zero_count(channel));
  }
  stored_ = std::all_of(sources_.begin(), sources_.end(),
                        [](const auto& source) { return source->stored_as_int16(); }) &&
            (!filled || std::all_of(fill_.begin(), fill_.end(), is_int16));
}

template <class T, class ReadPiece>
void TimelineView::read_pieces(std::int64_t segment, std::int64_t first,
                               std::span<const std::int64_t> channels, Block<T> out,
                               const ReadPiece& read_piece) const {
  std::vector<std::int64_t> mapped;
  mapped.reserve(channels.size());
  for (const auto channel : channels) {
    mapped.push_back(channels_[static_cast<std::size_t>(channel)]);
  }
  const auto& pieces = pieces_[static_cast<std::size_t>(segment)];
  const auto& starts = starts_[static_cast<std::size_t>(segment)];
  auto at = static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), first) -
                                     starts.begin());
  at -= at > 0 ? 1 : 0;
  for (std::int64_t done = 0; done < out.frames(); ++at) {
    const Piece& piece = pieces[at];
    const std::int64_t skipped = first + done - starts[at];
    const std::int64_t frames = std::min(piece.frames - skipped, out.frames() - done);
    const Block<T> rows = out.slice(done, frames);
    done += frames;
    if (piece.source != Piece::kFilled) {
      read_piece(*sources_[static_cast<std::size_t>(piece.source)], piece.segment,
                 piece.first + skipped, mapped, rows);
      continue;
    }
    for (std::int64_t f = 0; f < frames; ++f) {
      for (std::size_t c = 0; c < channels.size(); ++c) {
        rows(f, static_cast<std::int64_t>(c)) =
            static_cast<T>(fill_[static_cast<std::size_t>(channels[c])]);
      }
    }
  }
}

void TimelineView::read(std::int64_t segment, std::int64_t first,
                        std::span<const std::int64_t> channels, Block<float> out) const {
  read_pieces(segment, first, channels, out,
              [](const RecordingSource& source, const auto&... place) { source.read(place...); });
}

void TimelineView::read_stored(std::int64_t segment, std::int64_t first,
                               std::span<const std::int64_t> channels,
                               Block<std::int16_t> out) const {
  read_pieces(
      segment, first, channels, out,
      [](const RecordingSource& source, const auto&... place) { source.read_stored(place...); });
}

std::int64_t TimelineView::preferred_frames() const noexcept {
  return sources_.empty() ? 0 : sources_.front()->preferred_frames();
}

std::size_t TimelineView::cache_bytes(std::int64_t frames) const noexcept {
  std::size_t bytes = 0;
  for (const auto& source : sources_) {
    bytes += source->cache_bytes(frames);
  }
  return bytes;
}

}  // namespace weir::pipeline
