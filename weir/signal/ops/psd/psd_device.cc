#include <algorithm>

#include "weir/signal/ops/psd/psd_cl.h"
#include "weir/signal/ops/psd/psd_internal.h"
#include "weir/signal/spectra_device.h"

namespace weir::signal {
namespace {
std::size_t sums_bytes(const SpectralPlan& plan, std::int64_t channels) noexcept {
  return static_cast<std::size_t>(2 * plan.bins() * channels) * sizeof(float);
}

class PsdOnDevice final : public op::DeviceStep {
 public:
  PsdOnDevice(const op::DevicePlace& place, const SpectralPlan& plan, std::int64_t frames,
              std::int64_t channels)
      : queue_(place.queue),
        plan_(plan),
        channels_(channels),
        rows_(frames > 0 ? plan.bins() : 0),
        spectra_(place, plan, frames, channels),
        emit_(place.device.kernel(kernels::kPsd, "psd_rows")),
        sums_(place.device.allocate(sums_bytes(plan, channels))) {
    queue_.clear(sums_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    spectra_.push(
        in, [this](const SpectraOnDevice::Batch& batch) { spectra_.add_powers(batch, sums_); });
    out[0].frames = 0;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    const std::int64_t rows = std::min(to.frames, rows_ - emitted_);
    if (rows > 0) {
      const std::int64_t windows = spectra_.windows();
      queue_.launch(
          emit_, compute::over_rows(channels_, rows),
          {sums_, to.buffer, to.first, to.stride, narrow(), emitted_, rows, plan_.transform.size,
           psd_factor(plan_, 0, windows), 2 * psd_factor(plan_, 0, windows)});
    }
    emitted_ += rows;
    out[0].frames = rows;
    return emitted_ == rows_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<PsdState&>(to);
    spectra_.hand_over(state.feed);
    const auto sums = queue_.download<float>(sums_);
    for_each_sum([&](std::size_t here, std::size_t there) { state.powers[there] = sums[here]; });
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const PsdState&>(from);
    spectra_.take_over(state.feed);
    std::vector<float> sums(sums_bytes(plan_, channels_) / sizeof(float));
    for_each_sum([&](std::size_t here, std::size_t there) { sums[here] = state.powers[there]; });
    queue_.upload(sums_, sums);
  }

 private:
  std::int32_t narrow() const noexcept { return static_cast<std::int32_t>(channels_); }

  /// Calls `visit` with where a number stands here and where in a State.
  template <class Visit>
  void for_each_sum(const Visit& visit) const {
    for (std::int64_t row = 0; row < 2 * plan_.bins(); ++row) {
      for (std::int64_t c = 0; c < channels_; ++c) {
        const std::int64_t pack = c / kLanePadding;
        visit(static_cast<std::size_t>(row * channels_ + c),
              static_cast<std::size_t>((pack * 2 * plan_.bins() + row) * kLanePadding +
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
  compute::Kernel emit_;
  compute::Buffer sums_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> psd_on(const op::DevicePlace& place, const SpectralPlan& plan,
                                       std::int64_t frames, std::int64_t channels) {
  return std::make_unique<PsdOnDevice>(place, plan, frames, channels);
}

std::size_t psd_device_bytes(const SpectralPlan& plan, std::int64_t channels, std::int64_t frames) {
  return SpectraOnDevice::bytes(plan, channels, frames) + sums_bytes(plan, channels);
}

}  // namespace weir::signal
