#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/op/bytes.h"
#include "weir/op/step.h"
#include "weir/signal/spectral_plan.h"

namespace weir::signal {

/// The rows of one window as they stand in a ring.
struct SpectralRows {
  Block<const float> ring;
  std::int64_t first = 0;         ///< Where the window begins.
  std::span<const float> window;  ///< As long as the window.
  SpectralDetrend detrend = SpectralDetrend::constant;
};

/// The spectra of the 32 channels from `lane` on. A window that holds a NaN or an infinity has
/// nothing but NaN, in its own channel.
/// Shape:  `spectrum` is [bins, 2, 32], real and imaginary parts; `scratch` has
/// `spectral_floats(plan)`.
void spectrum_of(const RealTransform& plan, const SpectralRows& rows, std::int64_t lane,
                 float* scratch, float* spectrum);
std::int64_t spectral_floats(const RealTransform& plan) noexcept;

/// The squared magnitudes of 32 channels, [bins, 32].
void powers_of(const float* spectrum, std::int64_t bins, float* powers);

/// The spectra of one window and of at most 32 neighbouring channels.
struct SpectralPiece {
  std::int64_t window = 0;  ///< Counted from where the State began.
  std::int64_t lane = 0;    ///< First channel, within the group.
  std::int64_t channels = 0;
  const float* spectrum = nullptr;  ///< [bins, 2, 32].
};
using TakeSpectra = std::function<void(const SpectralPiece&)>;

/// The part of a State that knows the rows of the window under way, and makes the spectra of those
/// that are complete.
class SpectralFeed {
 public:
  /// `frames`: of the segment.
  SpectralFeed(const SpectralPlan& plan, std::int64_t frames, std::int64_t channels);
  static std::size_t bytes(const SpectralPlan& plan, std::int64_t channels) noexcept;

  /// Calls `take` for each window that ends within `in`, in order, channels in order within it.
  void push(Block<const float> in, const TakeSpectra& take);
  std::int64_t windows() const noexcept { return windows_; }

  void save(op::ByteWriter& to) const;
  void load(op::ByteReader& from);

  // What a device hands over: frames seen, and the last `nperseg` of them, each at its number
  // modulo `nperseg`.
  std::int64_t seen() const noexcept { return seen_; }
  void go_on_from(std::int64_t seen) noexcept;
  Block<float> ring() const noexcept { return ring_.as<float>(); }

 private:
  void transform(const TakeSpectra& take);

  const SpectralPlan& plan_;
  std::int64_t length_;
  std::int64_t channels_;
  Buffer ring_;
  AlignedBytes scratch_;
  AlignedBytes spectrum_;
  std::int64_t seen_ = 0;
  std::int64_t windows_ = 0;  ///< Complete ones.
};

}  // namespace weir::signal
