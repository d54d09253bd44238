#include "weir/signal/ops/scale/scale.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace weir::signal {
namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

class ScaleStep final : public op::Step {
 public:
  ScaleStep(const Scale& params, StreamInfo in) {
    for (auto& channel : in.channels) {
      channel = scaled(params, std::move(channel));
    }
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  bool relabels_only() const noexcept override { return true; }
  double tolerance() const noexcept override { return 0; }
  std::vector<std::string> decisions() const override {
    return {"samples pass unchanged; gain and offset of the channels change"};
  }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    return std::make_unique<op::State>();
  }
  void run(op::State&, AnyBlock in, std::span<op::Emission> out) const override {
    const std::size_t bytes = static_cast<std::size_t>(in.channels()) * size_of(in.type());
    for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
      std::memcpy(out[0].room.slice(frame, 1).data(), in.slice(frame, 1).data(), bytes);
    }
    out[0].frames = in.frames();
  }

 private:
  std::vector<op::Port> ports_;
};
}  // namespace

Channel scaled(const Scale& params, Channel channel) {
  if (params.gain == 0 || !std::isfinite(params.gain)) {
    refuse(fmt::format("gain: {} would lose the signal; it must be a finite number other than 0",
                       params.gain));
  }
  if (!std::isfinite(params.offset)) {
    refuse(fmt::format("offset: {} is not a finite number", params.offset));
  }
  const double gain = channel.gain * params.gain;
  if (!std::isfinite(gain) || (channel.gain != 0 && !std::isnormal(gain))) {
    refuse(fmt::format("gain: {} times the gain {} of channel \"{}\" leaves the range of doubles",
                       params.gain, channel.gain, channel.name));
  }
  const double offset = channel.offset * params.gain + params.offset;
  if (!std::isfinite(offset)) {
    refuse(fmt::format("offset: that of channel \"{}\" leaves the range of doubles", channel.name));
  }
  channel.gain = gain;
  channel.offset = offset;
  return channel;
}

const op::Operator& scale_operator() {
  static const auto kMade = op::make_operator<Scale>(
      {.name = "scale",
       .summary = "Multiply physical values by a factor and add an offset.",
       .schema = op::Schema<Scale>{op::field("gain", &Scale::gain, {.doc = "The factor; not 0."}),
                                   op::field("offset", &Scale::offset,
                                             {.unit = "each channel's unit",
                                              .doc = "Added after the factor."})},
       .plan = [](const Scale& params, const op::StepContext& context)
           -> std::unique_ptr<op::Step> { return std::make_unique<ScaleStep>(params, context.in); },
       .input_form = [](const Scale&, const StreamInfo& in) -> op::InputForm {
         return {in.type, false};
       }});
  return *kMade;
}

}  // namespace weir::signal
