#include <algorithm>

#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/diff/diff_cl.h"
#include "weir/signal/ops/diff/diff_internal.h"

namespace weir::signal {
namespace {
class DiffOnDevice final : public op::DeviceStep {
 public:
  DiffOnDevice(const op::DevicePlace& place, const Diff& params, std::int64_t channels)
      : queue_(place.queue),
        rows_(place.device.kernel(kernels::kDiff, "diff_rows", {{"ORDER", params.n}})),
        n_(params.n),
        channels_(channels),
        zero_(params.start == DiffStart::zero ? 1 : 0),
        past_(place, params.n, channels) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    out[0].frames = in.frames;
    if (in.frames == 0) {
      return;
    }
    const op::DeviceBlock& to = out[0].room;
    const auto channels = static_cast<std::int32_t>(channels_);
    const auto n = static_cast<std::int32_t>(n_);
    queue_.launch(rows_,
                  {.items = {channels_, (in.frames + kTogether - 1) / kTogether}, .group = {32, 4}},
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_.buffer(),
                   channels, zero_, fed_, in.frames, n});
    past_.keep(in, fed_);
    fed_ += in.frames;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<DiffState&>(to);
    state.fed = fed_;
    past_.hand_over(state.past.as<float>());
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const DiffState&>(from);
    fed_ = state.fed;
    past_.take_over(state.past.as<float>());
  }

 private:
  static constexpr std::int64_t kTogether = 8;  ///< Outputs of one item, as the kernel has them.

  compute::Queue& queue_;
  compute::Kernel rows_;
  std::int64_t n_;
  std::int64_t channels_;
  std::int32_t zero_;
  std::int64_t fed_ = 0;  ///< Rows of the segment so far.
  KeptRows past_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> diff_on(const op::DevicePlace& place, const Diff& params,
                                        std::int64_t channels) {
  return std::make_unique<DiffOnDevice>(place, params, channels);
}

}  // namespace weir::signal
