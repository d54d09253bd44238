#include "weir/pipeline/run/sink.h"

#include <algorithm>
#include <cstring>

#include "weir/core/error.h"

namespace weir::pipeline {

void Sink::snippet(const Event&, AnyBlock) {
  WEIR_CHECK(false);  // Planned for what takes them only.
}

std::int64_t GroupCursors::take() {
  const std::int64_t frames = at_.empty() ? 0 : at_.front();
  WEIR_CHECK(std::all_of(at_.begin(), at_.end(), [&](std::int64_t at) { return at == frames; }));
  std::fill(at_.begin(), at_.end(), 0);
  return frames;
}

Gather::Gather(const StreamInfo& stream, std::size_t groups, std::int64_t capacity)
    : buffer_(stream.type, capacity, stream.channel_count()), cursors_(groups) {}

void Gather::rows(std::size_t group, const ChannelGroup& channels, AnyBlock block) {
  const std::int64_t first = cursors_.at(group);
  WEIR_CHECK(first + block.frames() <= buffer_.frames());
  const auto bytes = static_cast<std::size_t>(channels.count) * size_of(block.type());
  const AnyBlock to = buffer_.block().columns(channels.first, channels.count);
  for (std::int64_t frame = 0; frame < block.frames(); ++frame) {
    std::memcpy(to.slice(first + frame, 1).data(), block.slice(frame, 1).data(), bytes);
  }
  cursors_.advance(group, block.frames());
}

AnyBlock Gather::take() {
  return buffer_.first(cursors_.take());
}

}  // namespace weir::pipeline
