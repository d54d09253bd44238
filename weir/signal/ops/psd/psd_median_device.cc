#include <algorithm>

#include "weir/signal/ops/psd/psd_internal.h"
#include "weir/signal/ops/psd/psd_median_cl.h"
#include "weir/signal/spectra_device.h"

namespace weir::signal {
namespace {
/// Every power of a segment, until it has ended.
class MedianPsdOnDevice final : public op::DeviceStep {
 public:
  MedianPsdOnDevice(const op::DevicePlace& place, const SpectralPlan& plan, std::int64_t frames,
                    std::int64_t channels)
      : queue_(place.queue),
        plan_(plan),
        channels_(channels),
        rows_(frames > 0 ? plan.bins() : 0),
        spectra_(place, plan, frames, channels),
        keep_(place.device.kernel(kernels::kPsdMedian, "psd_keep_powers")),
        emit_(place.device.kernel(kernels::kPsdMedian, "psd_median_rows")),
        powers_(place.device.allocate(
            std::max(sizeof(float), psd_powers_bytes(plan, channels, plan.windows_in(frames))))) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const std::int64_t before = spectra_.windows();
    spectra_.push(in, [&](const SpectraOnDevice::Batch& batch) {
      const std::int64_t rows = batch.windows * plan_.bins();
      queue_.launch(
          keep_, compute::over_rows(channels_, rows),
          {batch.spectra, powers_, narrow(), (before + batch.first) * plan_.bins(), rows});
    });
    out[0].frames = 0;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    const std::int64_t rows = std::min(to.frames, rows_ - emitted_);
    const std::int64_t windows = spectra_.windows();
    if (rows > 0) {
      queue_.launch(
          emit_, compute::over_rows(channels_, rows),
          {powers_, to.buffer, to.first, to.stride, narrow(), emitted_, rows, plan_.bins(), windows,
           plan_.transform.size, static_cast<float>(1.0 / median_bias(windows)),
           static_cast<float>(2.0 / median_bias(windows))});
    }
    emitted_ += rows;
    out[0].frames = rows;
    return emitted_ == rows_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<PsdState&>(to);
    spectra_.hand_over(state.feed);
    const auto powers = queue_.download<float>(powers_);
    for_each_power(
        [&](std::size_t here, std::size_t there) { state.powers[there] = powers[here]; });
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const PsdState&>(from);
    spectra_.take_over(state.feed);
    std::vector<float> powers(powers_.bytes() / sizeof(float));
    for_each_power(
        [&](std::size_t here, std::size_t there) { powers[here] = state.powers[there]; });
    queue_.upload(powers_, powers);
  }

 private:
  std::int32_t narrow() const noexcept { return static_cast<std::int32_t>(channels_); }

  /// Calls `visit` with where a power stands here and where in a State.
  template <class Visit>
  void for_each_power(const Visit& visit) const {
    const std::int64_t packs = padded_channels(channels_) / kLanePadding;
    for (std::int64_t row = 0; row < spectra_.windows() * plan_.bins(); ++row) {
      const std::int64_t window = row / plan_.bins();
      for (std::int64_t c = 0; c < channels_; ++c) {
        const std::int64_t pack = window * packs + c / kLanePadding;
        visit(static_cast<std::size_t>(row * channels_ + c),
              static_cast<std::size_t>((pack * plan_.bins() + row % plan_.bins()) * kLanePadding +
                                       c % kLanePadding));
      }
    }
  }

  compute::Queue& queue_;
  const SpectralPlan& plan_;
  std::int64_t channels_;
  std::int64_t rows_;
  std::int64_t emitted_ = 0;
  SpectraOnDevice spectra_;
  compute::Kernel keep_;
  compute::Kernel emit_;
  compute::Buffer powers_;
};
}  // namespace

std::size_t psd_powers_bytes(const SpectralPlan& plan, std::int64_t channels,
                             std::int64_t windows) noexcept {
  return static_cast<std::size_t>(windows * plan.bins() * channels) * sizeof(float);
}

std::unique_ptr<op::DeviceStep> median_psd_on(const op::DevicePlace& place,
                                              const SpectralPlan& plan, std::int64_t frames,
                                              std::int64_t channels) {
  return std::make_unique<MedianPsdOnDevice>(place, plan, frames, channels);
}

}  // namespace weir::signal
