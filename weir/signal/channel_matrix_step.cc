#include <algorithm>
#include <utility>

#include "weir/core/error.h"
#include "weir/op/device_step.h"
#include "weir/signal/channel_matrix.h"
#include "weir/signal/channel_matrix_cl.h"
#include "weir/signal/channel_matrix_device.h"

namespace weir::signal {
namespace {
class MatrixStep final : public op::Step {
 public:
  MatrixStep(ChannelMatrix matrix, const StreamInfo& in, MatrixStory story)
      : story_(std::move(story)),
        packed_(pack(matrix, in.channels, kLanePadding)),
        on_device_(pack_for_device(matrix, in.channels)) {
    StreamInfo out = in;
    out.type = SampleType::float32;
    out.channels = std::move(matrix.channels);
    ports_.push_back({.name = "signal", .stream = std::move(out)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  double tolerance() const noexcept override { return story_.tolerance; }
  std::vector<std::string> decisions() const override { return story_.decisions; }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    return std::make_unique<op::State>();
  }
  void run(op::State&, AnyBlock in, std::span<op::Emission> out) const override {
    multiply_frames(packed_, in.as<float>(), out[0].room.as<float>());
    out[0].frames = in.frames();
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint&) const override {
    return channel_matrix_on(place, on_device_);
  }
  std::size_t device_bytes(std::int64_t, std::int64_t) const noexcept override {
    return on_device_.claim_bytes;
  }

 private:
  MatrixStory story_;
  PackedMatrix packed_;
  DeviceMatrix on_device_;
  std::vector<op::Port> ports_;
};
}  // namespace

std::unique_ptr<op::Step> channel_matrix_step(ChannelMatrix matrix, const StreamInfo& in,
                                              MatrixStory story) {
  WEIR_CHECK(matrix.inputs == in.channel_count() && matrix.rows.size() == matrix.channels.size());
  return std::make_unique<MatrixStep>(std::move(matrix), in, std::move(story));
}

op::DeviceText channel_matrix_kernels() {
  return kernels::kChannelMatrix;
}

}  // namespace weir::signal
