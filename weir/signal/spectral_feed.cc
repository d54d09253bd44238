#include "weir/signal/spectral_feed.h"

#include <algorithm>
#include <cstring>

namespace weir::signal {
namespace {
std::size_t scratch_bytes(const SpectralPlan& plan) noexcept {
  return static_cast<std::size_t>(spectral_floats(plan.transform)) * sizeof(float);
}
std::size_t spectrum_bytes(const SpectralPlan& plan) noexcept {
  return static_cast<std::size_t>(2 * plan.bins() * kLanePadding) * sizeof(float);
}
float* floats(const AlignedBytes& bytes) noexcept {
  return reinterpret_cast<float*>(bytes.data());
}
}  // namespace

SpectralFeed::SpectralFeed(const SpectralPlan& plan, std::int64_t frames, std::int64_t channels)
    : plan_(plan),
      length_(plan.length_in(frames)),
      channels_(channels),
      ring_(SampleType::float32, plan.nperseg, channels),
      scratch_(scratch_bytes(plan)),
      spectrum_(spectrum_bytes(plan)) {}

std::size_t SpectralFeed::bytes(const SpectralPlan& plan, std::int64_t channels) noexcept {
  return Buffer::bytes_for(SampleType::float32, plan.nperseg, channels) + scratch_bytes(plan) +
         spectrum_bytes(plan);
}

void SpectralFeed::push(Block<const float> in, const TakeSpectra& take) {
  const Block<float> ring = ring_.as<float>();
  const std::size_t row_bytes = static_cast<std::size_t>(in.channels()) * sizeof(float);
  for (std::int64_t row = 0; row < in.frames();) {
    const std::int64_t end = windows_ * plan_.hop + length_;  // of the next window
    const std::int64_t count = std::min(end - seen_, in.frames() - row);
    for (std::int64_t i = 0; i < count; ++i) {
      std::memcpy(ring.row((seen_ + i) % plan_.nperseg), in.row(row + i), row_bytes);
    }
    row += count;
    seen_ += count;
    if (seen_ == end) {
      transform(take);
      ++windows_;
    }
  }
}

void SpectralFeed::transform(const TakeSpectra& take) {
  const SpectralRows rows{.ring = ring_.as<float>(),
                          .first = windows_ * plan_.hop % plan_.nperseg,
                          .window = plan_.windows.at(length_),
                          .detrend = plan_.detrend};
  for (std::int64_t lane = 0; lane < channels_; lane += kLanePadding) {
    spectrum_of(plan_.transform, rows, lane, floats(scratch_), floats(spectrum_));
    take({windows_, lane, std::min(kLanePadding, channels_ - lane), floats(spectrum_)});
  }
}

void SpectralFeed::go_on_from(std::int64_t seen) noexcept {
  seen_ = seen;
  windows_ = seen < length_ ? 0 : 1 + (seen - length_) / plan_.hop;
}

void SpectralFeed::save(op::ByteWriter& to) const {
  to.put(seen_);
  const Block<float> ring = ring_.as<float>();
  for (std::int64_t row = 0; row < ring.frames(); ++row) {
    to.put_all(std::span<const float>(ring.row(row), static_cast<std::size_t>(channels_)));
  }
}

void SpectralFeed::load(op::ByteReader& from) {
  go_on_from(from.get<std::int64_t>());
  const Block<float> ring = ring_.as<float>();
  for (std::int64_t row = 0; row < ring.frames(); ++row) {
    from.get_all(std::span<float>(ring.row(row), static_cast<std::size_t>(channels_)));
  }
}

}  // namespace weir::signal
