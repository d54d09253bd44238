#include <algorithm>

#include "weir/signal/ops/diff/diff_cl.h"
#include "weir/signal/ops/diff/diff_internal.h"

namespace weir::signal {
namespace {
class DiffOnDevice final : public op::DeviceStep {
 public:
  DiffOnDevice(const op::DevicePlace& place, const Diff& params, std::int64_t channels)
      : queue_(place.queue),
        rows_(place.device.kernel(kernels::kDiff, "diff_rows", {{"ORDER", params.n}})),
        keep_(place.device.kernel(kernels::kDiff, "diff_keep", {{"ORDER", params.n}})),
        n_(params.n),
        channels_(channels),
        zero_(params.start == DiffStart::zero ? 1 : 0),
        past_(
            place.device.allocate(static_cast<std::size_t>(params.n * channels) * sizeof(float))) {
    queue_.clear(past_);
  }

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
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_, channels,
                   zero_, fed_, in.frames, n});
    queue_.launch(keep_, {.items = {channels_, std::min(in.frames, n_)}},
                  {in.buffer, in.first, in.stride, past_, channels, n, fed_, in.frames});
    fed_ += in.frames;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<DiffState&>(to);
    state.fed = fed_;
    const auto past = queue_.download<float>(past_);
    for (std::int64_t row = 0; row < n_; ++row) {
      std::copy_n(past.data() + row * channels_, channels_, state.past.as<float>().row(row));
    }
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const DiffState&>(from);
    fed_ = state.fed;
    std::vector<float> past;
    for (std::int64_t row = 0; row < n_; ++row) {
      const float* first = state.past.as<float>().row(row);
      past.insert(past.end(), first, first + channels_);
    }
    queue_.upload(past_, past);
  }

 private:
  static constexpr std::int64_t kTogether = 8;  ///< Outputs of one item, as the kernel has them.

  compute::Queue& queue_;
  compute::Kernel rows_;
  compute::Kernel keep_;
  std::int64_t n_;
  std::int64_t channels_;
  std::int32_t zero_;
  std::int64_t fed_ = 0;  ///< Rows of the segment so far.
  compute::Buffer past_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> diff_on(const op::DevicePlace& place, const Diff& params,
                                        std::int64_t channels) {
  return std::make_unique<DiffOnDevice>(place, params, channels);
}

}  // namespace weir::signal
