#include <algorithm>

#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/teager_kaiser/teager_kaiser_cl.h"
#include "weir/signal/ops/teager_kaiser/teager_kaiser_internal.h"

namespace weir::signal {
namespace {
class TeagerKaiserOnDevice final : public op::DeviceStep {
 public:
  TeagerKaiserOnDevice(const op::DevicePlace& place, std::int64_t channels)
      : queue_(place.queue),
        rows_(place.device.kernel(kernels::kTeagerKaiser, "teager_kaiser")),
        channels_(channels),
        past_(place, kRows, channels) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    emit(in, energies_after(fed_ + in.frames), out[0]);
    past_.keep(in, fed_);
    fed_ += in.frames;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    emit(past_.instead_of_block(), fed_, out[0]);
    return true;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<TeagerKaiserState&>(to);
    state.fed = fed_;
    past_.hand_over(state.past.as<float>());
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const TeagerKaiserState&>(from);
    fed_ = state.fed;
    past_.take_over(state.past.as<float>());
  }

 private:
  static constexpr std::int64_t kRows = TeagerKaiserState::kRows;
  static constexpr std::int64_t kTogether = 8;  ///< Outputs of one item, as the kernel has them.

  /// Energies that are final up to `end`, of rows in `in` and before it.
  void emit(const op::DeviceBlock& in, std::int64_t end, op::DeviceEmission& out) {
    const std::int64_t first = energies_after(fed_);
    out.frames = end - first;
    if (end == first) {
      return;
    }
    const op::DeviceBlock& to = out.room;
    queue_.launch(
        rows_, {.items = {channels_, (end - first + kTogether - 1) / kTogether}, .group = {32, 4}},
        {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_.buffer(),
         static_cast<std::int32_t>(channels_), fed_, first, end, fed_ + in.frames - 1});
  }

  compute::Queue& queue_;
  compute::Kernel rows_;
  std::int64_t channels_;
  std::int64_t fed_ = 0;  ///< Rows of the segment so far.
  KeptRows past_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> teager_kaiser_on(const op::DevicePlace& place,
                                                 std::int64_t channels) {
  return std::make_unique<TeagerKaiserOnDevice>(place, channels);
}

}  // namespace weir::signal
