#include "weir/signal/ops/int_cast/int_cast.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "weir/compute/convert.h"
#include "weir/signal/ops/int_cast/int_cast_cl.h"
#include "weir/signal/ops/int_cast/int_cast_internal.h"

namespace weir::signal {
namespace {
class IntCastStep final : public op::Step {
 public:
  IntCastStep(const IntCast& params, StreamInfo in)
      // One pad more: conversions of a group's last channels read whole vectors.
      : scale_(static_cast<std::size_t>(padded_channels(in.channel_count()) + kLanePadding), 1.0F) {
    for (std::size_t c = 0; c < in.channels.size(); ++c) {
      const double gain = in.channels[c].gain;
      in.channels[c] = cast_channel(params, std::move(in.channels[c]), in.type);
      scale_[c] = static_cast<float>(gain / in.channels[c].gain);
    }
    in.type = SampleType::int16;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  // Rows need no state, but the count of clipped samples does.
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  // Half a count of a full scale of 32,767, and the product's rounding.
  double tolerance() const noexcept override { return 0.51 / 32'767; }
  std::vector<std::string> decisions() const override {
    return {"float32 counts to int16: rounded half to even, clipped and counted"};
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<IntCastState>(at.first_channel);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& cast = static_cast<IntCastState&>(state);
    const std::span<const float> scale =
        std::span(scale_).subspan(static_cast<std::size_t>(cast.first_channel));
    const AnyBlock room = out[0].room.slice(0, in.frames());
    cast.clipped += compute::to_int16(in.as<float>(), scale, room.as<std::int16_t>());
    out[0].frames = in.frames();
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    to.put(static_cast<const IntCastState&>(state).clipped);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    static_cast<IntCastState&>(state).clipped = from.get<std::int64_t>();
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return int_cast_on(place, at, scale_);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return int_cast_device_bytes(channels);
  }

 private:
  std::vector<float> scale_;
  std::vector<op::Port> ports_;
};

void check(const IntCast& params) {
  const auto positive = [](const char* field, const std::optional<double>& value) {
    if (value && !(*value > 0 && std::isfinite(*value))) {
      throw Error(ErrorCode::invalid_spec, fmt::format("{}: {} is not positive", field, *value));
    }
  };
  positive("gain", params.gain);
  positive("int_scale", params.int_scale);
  if (params.gain && params.int_scale) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("int_scale: gain ({}) is given too; each is the inverse of the other",
                            *params.gain));
  }
}
}  // namespace

Channel cast_channel(const IntCast& params, Channel channel, SampleType from) {
  check(params);
  const bool plain =
      std::fabs(channel.gain) == 1 && from != SampleType::int16 && from != SampleType::int32;
  if (!params.gain && !params.int_scale && plain) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("gain: is needed, since channel \"{}\" has plain values{}{}: without "
                            "one they would be rounded to whole numbers",
                            channel.name, channel.unit.empty() ? "" : " in ", channel.unit));
  }
  const double gain = params.gain        ? *params.gain
                      : params.int_scale ? 1 / *params.int_scale
                                         : channel.gain;
  const auto scale = static_cast<float>(channel.gain / gain);
  if (!std::isfinite(scale) || (channel.gain != 0 && !std::isnormal(scale))) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("gain: {} over {} of channel \"{}\" leaves the range of float32",
                            channel.gain, gain, channel.name));
  }
  channel.gain = gain;
  channel.offset = 0;
  return channel;
}

const op::Operator& int_cast_operator() {
  static const auto kMade = op::make_operator<IntCast>(
      {.name = "int_cast",
       .summary = "Round to int16 counts.",
       .schema = op::Schema<IntCast>{op::field("gain", &IntCast::gain,
                                               {.unit = "each channel's unit per count",
                                                .doc = "Default each channel's own."}),
                                     op::field("int_scale", &IntCast::int_scale,
                                               {.unit = "counts per unit",
                                                .doc = "The inverse of gain, instead of it."})},
       .plan = [](const IntCast& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         return std::make_unique<IntCastStep>(params, context.in);
       },
       .device = kernels::kIntCast});
  return *kMade;
}

}  // namespace weir::signal
