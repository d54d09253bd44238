#include <algorithm>

#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/blank/blank_cl.h"
#include "weir/signal/ops/blank/blank_internal.h"

namespace weir::signal {
namespace {
/// At least one entry: a device has no buffer of nothing.
std::vector<std::int64_t> table_of(const BlankPlan& plan) {
  std::vector<std::int64_t> table;
  for (const BlankStretch& stretch : plan.stretches) {
    table.insert(table.end(), {stretch.first, stretch.end});
  }
  table.resize(std::max<std::size_t>(table.size(), 2));
  return table;
}

class BlankOnDevice final : public op::DeviceStep {
 public:
  BlankOnDevice(const op::DevicePlace& place, const op::StartPoint& at, const BlankPlan& plan)
      : queue_(place.queue),
        rows_(place.device.kernel(kernels::kBlank, "blank_rows")),
        plan_(plan),
        channels_(at.channel_count),
        begun_(at.first_frame),
        fed_(at.first_frame),
        emitted_(at.first_frame),
        table_(place.device.allocate(place.queue, table_of(plan))),
        past_(place, plan.rows_kept(), at.channel_count) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    emit(in, std::max(emitted_, fed_ + in.frames - plan_.reach), out[0]);
    past_.keep(in, fed_);
    fed_ += in.frames;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    emit(past_.instead_of_block(), std::min(fed_, emitted_ + out[0].room.frames), out[0]);
    return emitted_ == fed_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<BlankState&>(to);
    state.begun = begun_;
    state.fed = fed_;
    state.emitted = emitted_;
    past_.hand_over(state.past.as<float>());
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const BlankState&>(from);
    begun_ = state.begun;
    fed_ = state.fed;
    emitted_ = state.emitted;
    past_.take_over(state.past.as<float>());
  }

 private:
  std::int32_t narrow() const noexcept { return static_cast<std::int32_t>(channels_); }

  void emit(const op::DeviceBlock& in, std::int64_t end, op::DeviceEmission& out) {
    out.frames = end - emitted_;
    if (out.frames == 0) {
      return;
    }
    const op::DeviceBlock& to = out.room;
    const std::int32_t linear = plan_.mode == BlankMode::linear ? 1 : 0;
    queue_.launch(rows_, compute::over_rows(channels_, out.frames),
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_.buffer(),
                   table_, std::ssize(plan_.stretches), linear, narrow(), plan_.rows_kept(), begun_,
                   plan_.frames, fed_, emitted_, end});
    emitted_ = end;
  }

  compute::Queue& queue_;
  compute::Kernel rows_;
  const BlankPlan& plan_;  ///< The step's.
  std::int64_t channels_;
  std::int64_t begun_;
  std::int64_t fed_;
  std::int64_t emitted_;
  compute::Buffer table_;
  KeptRows past_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> blank_on(const op::DevicePlace& place, const op::StartPoint& at,
                                         const BlankPlan& plan) {
  return std::make_unique<BlankOnDevice>(place, at, plan);
}

std::size_t blank_device_bytes(const BlankPlan& plan, std::int64_t channels) noexcept {
  const std::size_t table = std::max<std::size_t>(1, plan.stretches.size());
  return table * 2 * sizeof(std::int64_t) + KeptRows::bytes_for(plan.rows_kept(), channels);
}

}  // namespace weir::signal
