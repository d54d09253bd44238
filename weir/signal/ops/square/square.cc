#include "weir/signal/ops/square/square.h"

#include <fmt/format.h>

#include <cmath>

#include "weir/core/unit.h"
#include "weir/signal/ops/square/square_cl.h"
#include "weir/signal/ops/square/square_internal.h"

namespace weir::signal {
namespace {
class SquareStep final : public op::Step {
 public:
  explicit SquareStep(StreamInfo in) {
    in.type = SampleType::float32;
    for (auto& channel : in.channels) {
      channel = squared(std::move(channel));
    }
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  // One correctly rounded product: half a unit in the last place of the largest value.
  double tolerance() const noexcept override { return 0x1p-24; }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    return std::make_unique<op::State>();
  }
  void run(op::State&, AnyBlock in, std::span<op::Emission> out) const override {
    square_rows(in.as<float>(), out[0].room.as<float>());
    out[0].frames = in.frames();
  }
  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint&) const override {
    return square_on(place);
  }

 private:
  std::vector<op::Port> ports_;
};
}  // namespace

Channel squared(Channel channel) {
  const double gain = channel.gain * channel.gain;
  if (!std::isfinite(gain) || (channel.gain != 0 && !std::isnormal(gain))) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("input: the square of the gain {} of channel \"{}\" leaves the range "
                            "of doubles",
                            channel.gain, channel.name));
  }
  channel.gain = gain;
  channel.offset = 0;
  channel.unit = unit_to_the(2, channel.unit);
  return channel;
}

const op::Operator& square_operator() {
  static const auto kMade = op::make_operator<Square>(
      {.name = "square",
       .summary = "Squares of physical values, for energy.",
       .schema = op::Schema<Square>{},
       .plan = [](const Square&, const op::StepContext& context) -> std::unique_ptr<op::Step> {
         return std::make_unique<SquareStep>(context.in);
       },
       .device = kernels::kSquare});
  return *kMade;
}

}  // namespace weir::signal
