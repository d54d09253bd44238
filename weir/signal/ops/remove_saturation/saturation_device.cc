#include <algorithm>
#include <numeric>

#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/remove_saturation/remove_saturation_cl.h"
#include "weir/signal/ops/remove_saturation/remove_saturation_internal.h"

namespace weir::signal {
namespace {
std::vector<float> levels_of(const SaturationRules& rules, const op::StartPoint& at) {
  std::vector<float> levels;
  for (const auto* part : {&rules.least, &rules.most}) {
    const auto first = part->begin() + static_cast<std::ptrdiff_t>(at.first_channel);
    levels.insert(levels.end(), first, first + static_cast<std::ptrdiff_t>(at.channel_count));
  }
  return levels;
}

class SaturationOnDevice final : public op::DeviceStep {
 public:
  SaturationOnDevice(const op::DevicePlace& place, const op::StartPoint& at,
                     const SaturationRules& rules)
      : queue_(place.queue),
        mark_(place.device.kernel(kernels::kRemoveSaturation, "saturation_mark")),
        rows_(place.device.kernel(kernels::kRemoveSaturation, "saturation_rows")),
        rules_(rules),
        channels_(at.channel_count),
        kept_(rules.rows_kept()),
        begun_(at.first_frame),
        fed_(at.first_frame),
        emitted_(at.first_frame),
        levels_(place.device.allocate(place.queue, levels_of(rules, at))),
        past_(place, kept_, channels_),
        marks_(place.device.allocate(
            static_cast<std::size_t>((kept_ + place.max_frames) * channels_))),
        counts_(
            place.device.allocate(static_cast<std::size_t>(2 * channels_) * sizeof(std::int32_t))) {
    queue_.clear(counts_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const std::int64_t known = fed_ + in.frames;
    emit(in, known - rules_.before, std::max(emitted_, known - rules_.ahead()), out[0]);
    past_.keep(in, fed_);
    fed_ = known;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    emit(past_.instead_of_block(), fed_, std::min(fed_, emitted_ + out[0].room.frames), out[0]);
    return emitted_ == fed_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<SaturationState&>(to);
    state.begun = begun_;
    state.fed = fed_;
    state.emitted = emitted_;
    const auto counts = queue_.download<std::int32_t>(counts_);
    const auto second = counts.begin() + channels_;
    state.blanked = std::accumulate(counts.begin(), second, blanked_before_);
    state.too_long = std::accumulate(second, counts.end(), too_long_before_);
    past_.hand_over(state.past.as<float>());
    state.rebuild_from_past(rules_);
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const SaturationState&>(from);
    begun_ = state.begun;
    fed_ = state.fed;
    emitted_ = state.emitted;
    blanked_before_ = state.blanked;
    too_long_before_ = state.too_long;
    past_.take_over(state.past.as<float>());
  }

 private:
  static constexpr std::int64_t kTogether = 64;  ///< Marks of one item, as the kernel has them.
  std::int32_t narrow() const noexcept { return static_cast<std::int32_t>(channels_); }

  /// Outputs up to `end`; marks can be known up to `highest`.
  void emit(const op::DeviceBlock& in, std::int64_t highest, std::int64_t end,
            op::DeviceEmission& out) {
    out.frames = end - emitted_;
    if (out.frames == 0) {
      return;
    }
    const std::int64_t lowest = std::max(begun_, emitted_ - rules_.longest);
    const op::DeviceBlock& to = out.room;
    queue_.launch(
        mark_,
        {.items = {channels_, (highest - lowest + kTogether - 1) / kTogether}, .group = {32, 4}},
        {in.buffer, in.first, in.stride, past_.buffer(), levels_, marks_, narrow(), kept_,
         rules_.before, rules_.after, begun_, fed_, fed_ + in.frames, lowest, highest});
    queue_.launch(
        rows_, compute::over_rows(channels_, out.frames),
        {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_.buffer(), marks_,
         counts_, narrow(), kept_, rules_.longest, begun_, fed_, lowest, highest, emitted_, end});
    emitted_ = end;
  }

  compute::Queue& queue_;
  compute::Kernel mark_;
  compute::Kernel rows_;
  const SaturationRules& rules_;  ///< The step's.
  std::int64_t channels_;
  std::int64_t kept_;
  std::int64_t begun_;
  std::int64_t fed_;
  std::int64_t emitted_;
  std::int64_t blanked_before_ = 0;  ///< On the CPU.
  std::int64_t too_long_before_ = 0;
  compute::Buffer levels_;
  KeptRows past_;
  compute::Buffer marks_;
  compute::Buffer counts_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> remove_saturation_on(const op::DevicePlace& place,
                                                     const op::StartPoint& at,
                                                     const SaturationRules& rules) {
  return std::make_unique<SaturationOnDevice>(place, at, rules);
}

std::size_t remove_saturation_device_bytes(const SaturationRules& rules, std::int64_t channels,
                                           std::int64_t frames) noexcept {
  const std::int64_t kept = rules.rows_kept();
  return static_cast<std::size_t>(channels) *
         (static_cast<std::size_t>(2 + kept) * sizeof(float) +
          static_cast<std::size_t>(kept + frames) + 2 * sizeof(std::int32_t));
}

}  // namespace weir::signal
