#include <algorithm>

#include "weir/signal/ops/coherence/coherence_cl.h"
#include "weir/signal/ops/coherence/coherence_internal.h"
#include "weir/signal/spectra_device.h"

namespace weir::signal {
namespace {
std::size_t power_floats(const SpectralPlan& plan, std::int64_t channels) noexcept {
  return static_cast<std::size_t>(2 * plan.bins() * channels);
}
std::size_t product_floats(const SpectralPlan& plan, const PairPlan& pairs) noexcept {
  return static_cast<std::size_t>(4 * plan.bins() * pairs.count());
}

class CoherenceOnDevice final : public op::DeviceStep {
 public:
  CoherenceOnDevice(const op::DevicePlace& place, const SpectralPlan& plan, const PairPlan& pairs,
                    std::int64_t frames, std::int64_t channels)
      : queue_(place.queue),
        plan_(plan),
        pairs_(pairs),
        channels_(channels),
        rows_(frames > 0 ? plan.bins() : 0),
        spectra_(place, plan, frames, channels),
        add_(place.device.kernel(kernels::kCoherence, "coherence_add")),
        emit_(place.device.kernel(kernels::kCoherence, "coherence_rows")),
        first_(place.device.allocate(place.queue, pairs.first)),
        second_(place.device.allocate(place.queue, pairs.second)),
        powers_(place.device.allocate(power_floats(plan, channels) * sizeof(float))),
        products_(place.device.allocate(product_floats(plan, pairs) * sizeof(float))) {
    queue_.clear(powers_);
    queue_.clear(products_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    spectra_.push(in, [this](const SpectraOnDevice::Batch& batch) {
      spectra_.add_powers(batch, powers_);
      queue_.launch(add_, {.items = {pairs_.count(), plan_.bins()}},
                    {batch.spectra, products_, first_, second_, pair_count(), channel_count(),
                     plan_.bins(), batch.windows});
    });
    out[0].frames = 0;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    const std::int64_t rows = std::min(to.frames, rows_ - emitted_);
    if (rows > 0) {
      queue_.launch(emit_, compute::over_rows(pairs_.count(), rows),
                    {products_, powers_, first_, second_, to.buffer, to.first, to.stride,
                     pair_count(), channel_count(), emitted_, rows});
    }
    emitted_ += rows;
    out[0].frames = rows;
    return emitted_ == rows_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<CoherenceState&>(to);
    spectra_.hand_over(state.feed);
    const auto powers = queue_.download<float>(powers_);
    for_each_power(
        [&](std::size_t here, std::size_t there) { state.powers[there] = powers[here]; });
    const auto products = queue_.download<float>(products_);
    for_each_product(
        [&](std::size_t here, std::size_t there) { state.products[there] = products[here]; });
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const CoherenceState&>(from);
    spectra_.take_over(state.feed);
    std::vector<float> powers(power_floats(plan_, channels_));
    for_each_power(
        [&](std::size_t here, std::size_t there) { powers[here] = state.powers[there]; });
    queue_.upload(powers_, powers);
    std::vector<float> products(product_floats(plan_, pairs_));
    for_each_product(
        [&](std::size_t here, std::size_t there) { products[here] = state.products[there]; });
    queue_.upload(products_, products);
  }

 private:
  std::int32_t pair_count() const noexcept { return static_cast<std::int32_t>(pairs_.count()); }
  std::int32_t channel_count() const noexcept { return static_cast<std::int32_t>(channels_); }

  /// Calls `visit` with where a number stands here and where in a State.
  template <class Visit>
  void for_each_power(const Visit& visit) const {
    for (std::int64_t row = 0; row < 2 * plan_.bins(); ++row) {
      for (std::int64_t c = 0; c < channels_; ++c) {
        visit(static_cast<std::size_t>(row * channels_ + c),
              static_cast<std::size_t>(row * padded_channels(channels_) + c));
      }
    }
  }
  template <class Visit>
  void for_each_product(const Visit& visit) const {
    for (const auto& run : pairs_.runs) {
      for (std::int64_t row = 0; row < 4 * plan_.bins(); ++row) {
        for (std::int64_t i = 0; i < run.count; ++i) {
          visit(static_cast<std::size_t>(row * pairs_.count() + run.first_pair + i),
                static_cast<std::size_t>(run.first_sum * 4 * plan_.bins() + row * run.padded + i));
        }
      }
    }
  }

  compute::Queue& queue_;
  const SpectralPlan& plan_;
  const PairPlan& pairs_;
  std::int64_t channels_;
  std::int64_t rows_;
  std::int64_t emitted_ = 0;
  SpectraOnDevice spectra_;
  compute::Kernel add_;
  compute::Kernel emit_;
  compute::Buffer first_;
  compute::Buffer second_;
  compute::Buffer powers_;
  compute::Buffer products_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> coherence_on(const op::DevicePlace& place, const SpectralPlan& plan,
                                             const PairPlan& pairs, std::int64_t frames,
                                             std::int64_t channels) {
  return std::make_unique<CoherenceOnDevice>(place, plan, pairs, frames, channels);
}

std::size_t coherence_device_bytes(const SpectralPlan& plan, const PairPlan& pairs,
                                   std::int64_t channels, std::int64_t frames) {
  return SpectraOnDevice::bytes(plan, channels, frames) +
         (2 * static_cast<std::size_t>(pairs.count()) + power_floats(plan, channels) +
          product_floats(plan, pairs)) *
             sizeof(float);
}

}  // namespace weir::signal
