#include <algorithm>

#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/subtract_baseline/subtract_baseline_cl.h"
#include "weir/signal/ops/subtract_baseline/subtract_baseline_internal.h"

namespace weir::signal {
namespace {
class SubtractBaselineOnDevice final : public op::DeviceStep {
 public:
  SubtractBaselineOnDevice(const op::DevicePlace& place, BaselineStatistic statistic,
                           std::int64_t rows, std::int64_t channels)
      : queue_(place.queue),
        find_(kernel(place.device, "baseline_find")),
        rows_(kernel(place.device, "baseline_rows")),
        kept_(rows),
        channels_(channels),
        median_(statistic == BaselineStatistic::median ? 1 : 0),
        past_(place, rows, channels),
        baseline_(place.device.allocate(static_cast<std::size_t>(2 * channels) * sizeof(float))) {
    queue_.clear(baseline_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const std::int64_t known = fed_ + in.frames;
    if (fed_ < kept_ && known >= kept_) {
      measure(in, kept_);
    }
    emit(in, std::max(emitted_, known - kept_), out[0]);
    past_.keep(in, fed_);
    fed_ = known;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    if (emitted_ == 0 && fed_ < kept_) {
      measure(past_.instead_of_block(), fed_);
    }
    emit(past_.instead_of_block(), std::min(fed_, emitted_ + out[0].room.frames), out[0]);
    return emitted_ == fed_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<BaselineState&>(to);
    state.fed = fed_;
    state.emitted = emitted_;
    past_.hand_over(state.past.as<float>());
    const auto baseline = queue_.download<float>(baseline_);
    std::copy_n(baseline.data(), channels_, state.centring.middle.begin());
    std::copy_n(baseline.data() + channels_, channels_, state.centring.rest.begin());
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const BaselineState&>(from);
    fed_ = state.fed;
    emitted_ = state.emitted;
    past_.take_over(state.past.as<float>());
    std::vector<float> baseline;
    for (const auto* part : {&state.centring.middle, &state.centring.rest}) {
      baseline.insert(baseline.end(), part->begin(), part->begin() + channels_);
    }
    queue_.upload(baseline_, baseline);
  }

 private:
  static compute::Kernel kernel(compute::Device& device, const char* entry) {
    return device.kernel(kernels::kSubtractBaseline, entry, compute::Real::float64);
  }
  std::int32_t narrow() const noexcept { return static_cast<std::int32_t>(channels_); }

  void measure(const op::DeviceBlock& in, std::int64_t count) {
    queue_.launch(find_, {.items = {channels_, 1}, .group = {32, 1}},
                  {in.buffer, in.first, in.stride, past_.buffer(), baseline_, narrow(), median_,
                   fed_, count});
  }

  void emit(const op::DeviceBlock& in, std::int64_t end, op::DeviceEmission& out) {
    out.frames = end - emitted_;
    if (out.frames == 0) {
      return;
    }
    const op::DeviceBlock& to = out.room;
    queue_.launch(rows_, compute::over_rows(channels_, out.frames),
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_.buffer(),
                   baseline_, narrow(), kept_, fed_, emitted_, end});
    emitted_ = end;
  }

  compute::Queue& queue_;
  compute::Kernel find_;
  compute::Kernel rows_;
  std::int64_t kept_;
  std::int64_t channels_;
  std::int32_t median_;
  std::int64_t fed_ = 0;
  std::int64_t emitted_ = 0;
  KeptRows past_;
  compute::Buffer baseline_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> subtract_baseline_on(const op::DevicePlace& place,
                                                     BaselineStatistic statistic, std::int64_t rows,
                                                     std::int64_t channels) {
  return std::make_unique<SubtractBaselineOnDevice>(place, statistic, rows, channels);
}

}  // namespace weir::signal
