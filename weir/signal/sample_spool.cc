#include "weir/signal/sample_spool.h"

#include <algorithm>
#include <utility>

namespace weir::signal {
namespace {
constexpr std::int64_t kTileSamples = 1 << 20;
constexpr std::int64_t kTileFrames = 64;  ///< At least so many frames stand together.
}  // namespace

SpoolShape::SpoolShape(std::int64_t channel_count, std::int64_t most_frames,
                       std::size_t memory_bytes)
    : channels(channel_count), frames(most_frames) {
  const std::int64_t fit = kTileSamples / std::max<std::int64_t>(channels, 1);
  tile_frames = std::max<std::int64_t>(1, std::min(frames, std::max(fit, kTileFrames)));
  in_memory = static_cast<std::size_t>(tiles() * tile_samples()) * sizeof(float) <= memory_bytes ||
              tiles() <= 1;
}

std::size_t SpoolShape::memory_bytes() const noexcept {
  return static_cast<std::size_t>((in_memory ? tiles() : 1) * tile_samples()) * sizeof(float);
}

std::size_t SpoolShape::temporary_bytes() const noexcept {
  // The last tile stays in memory.
  return in_memory ? 0 : static_cast<std::size_t>((tiles() - 1) * tile_samples()) * sizeof(float);
}

SampleSpool::SampleSpool(const SpoolShape& shape, std::filesystem::path folder)
    : shape_(shape), folder_(std::move(folder)) {}

void SampleSpool::add(Block<const float> in) {
  for (std::int64_t frame = 0; frame < in.frames();) {
    if (tiles_.empty() || staged_ == shape_.tile_frames) {
      next_tile();
    }
    const std::int64_t count = std::min(shape_.tile_frames - staged_, in.frames() - frame);
    stage(in.slice(frame, count));
    frame += count;
  }
}

void SampleSpool::stage(Block<const float> in) {
  constexpr std::int64_t kRows = 16;  // So many cache lines of each side stay near.
  auto* to_tile = reinterpret_cast<float*>(tiles_.back().data());  // NOLINT: samples
  for (std::int64_t first = 0; first < in.frames(); first += kRows) {
    const std::int64_t last = std::min(first + kRows, in.frames());
    for (std::int64_t channel = 0; channel < shape_.channels; ++channel) {
      float* to = to_tile + channel * shape_.tile_frames + staged_;
      for (std::int64_t frame = first; frame < last; ++frame) {
        to[frame] = in.row(frame)[channel];
      }
    }
  }
  staged_ += in.frames();
}

void SampleSpool::next_tile() {
  const auto bytes = static_cast<std::size_t>(shape_.tile_samples()) * sizeof(float);
  if (tiles_.empty()) {
    tiles_.emplace_back(bytes);
    return;
  }
  if (shape_.in_memory) {
    tiles_.emplace_back(bytes);
  } else {
    if (!file_) {
      file_.emplace(folder_);
    }
    file_->write(full_ * static_cast<std::int64_t>(bytes), {tiles_.back().data(), bytes});
  }
  ++full_;
  staged_ = 0;
}

const float* SampleSpool::tile(std::int64_t number) const noexcept {
  return reinterpret_cast<const float*>(  // NOLINT: samples
      tiles_[static_cast<std::size_t>(number)].data());
}

void SampleSpool::visit(std::int64_t channel, const Receive& receive) const {
  const std::int64_t first = channel * shape_.tile_frames;
  const auto whole = static_cast<std::size_t>(shape_.tile_frames);
  std::vector<float> room(file_ ? whole : 0);
  for (std::int64_t number = 0; number < full_; ++number) {
    if (file_) {
      file_->read((number * shape_.tile_samples() + first) * std::int64_t{sizeof(float)},
                  std::as_writable_bytes(std::span(room)));
      receive(room);
    } else {
      receive({tile(number) + first, whole});
    }
  }
  if (!tiles_.empty()) {
    receive({tile(std::ssize(tiles_) - 1) + first, static_cast<std::size_t>(staged_)});
  }
}

}  // namespace weir::signal
