#include "weir/signal/ops/log/log.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "weir/signal/ops/log/log_cl.h"
#include "weir/signal/ops/log/log_internal.h"
#include "weir/signal/pointwise_device.h"

namespace weir::signal {

static std::span<const op::EnumName<LogBase>> names_of(LogBase) {
  static constexpr op::EnumName<LogBase> kNames[] = {
      {"natural", LogBase::natural}, {"10", LogBase::ten}, {"dB", LogBase::decibel}};
  return kNames;
}

namespace {
double factor_of(LogBase base) noexcept {
  switch (base) {
    case LogBase::natural:
      return 1;
    case LogBase::ten:
      return std::numbers::log10e;
    case LogBase::decibel:
      return 20 * std::numbers::log10e;
  }
  return 1;
}

LogMap map_of(const Log& params, const std::vector<Channel>& channels) {
  LogMap map;
  map.gain.assign(
      static_cast<std::size_t>(padded_channels(static_cast<std::int64_t>(channels.size()))), 1.0F);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    map.gain[c] = static_cast<float>(std::fabs(channels[c].gain));
  }
  map.floor = static_cast<float>(params.floor);
  map.factor = static_cast<float>(factor_of(params.base));
  return map;
}

class LogStep final : public op::Step {
 public:
  LogStep(const Log& params, StreamInfo in) : map_(map_of(params, in.channels)) {
    in.type = SampleType::float32;
    for (auto& channel : in.channels) {
      channel = logarithmic(params.base, std::move(channel));
    }
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    return std::make_unique<op::State>();
  }
  void run(op::State&, AnyBlock in, std::span<op::Emission> out) const override {
    log_rows(map_, in.as<float>(), out[0].room.as<float>());
    out[0].frames = in.frames();
  }
  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return pointwise_on(
        place, at,
        {kernels::kLog,
         "log_rows",
         {map_.gain},
         {std::bit_cast<std::int32_t>(map_.floor), std::bit_cast<std::int32_t>(map_.factor)}});
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return pointwise_bytes(channels, 1);
  }

 private:
  LogMap map_;
  std::vector<op::Port> ports_;
};

std::unique_ptr<op::Step> plan(const Log& params, const op::StepContext& context) {
  constexpr double kLeast = std::numeric_limits<float>::min();
  constexpr double kMost = std::numeric_limits<float>::max();
  if (!(params.floor >= kLeast && params.floor <= kMost)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("floor: {} is not between {:.3g} and {:.3g}, the range of float32",
                            params.floor, kLeast, kMost));
  }
  for (const Channel& channel : context.in.channels) {
    const double gain = std::fabs(channel.gain);
    if (!(gain >= kLeast && gain <= kMost)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("input: the gain {} of channel \"{}\" leaves the range of float32",
                              channel.gain, channel.name));
    }
  }
  return std::make_unique<LogStep>(params, context.in);
}
}  // namespace

Channel logarithmic(LogBase base, Channel channel) {
  static constexpr const char* kWords[] = {"ln", "log10", "dB"};
  const std::string word = kWords[static_cast<std::size_t>(base)];
  if (!channel.unit.empty()) {
    channel.unit = fmt::format("{}({})", word, channel.unit);
  } else if (base == LogBase::decibel) {
    channel.unit = word;
  }
  channel.gain = 1;
  channel.offset = 0;
  return channel;
}

const op::Operator& log_operator() {
  static const auto kMade = op::make_operator<Log>(
      {.name = "log",
       .summary = "Logarithms of magnitudes.",
       .schema = op::Schema<Log>{op::field("base", &Log::base,
                                           {.doc = "natural; 10; or dB, that is 20 log10."}),
                                 op::field("floor", &Log::floor,
                                           {.unit = "each channel's unit",
                                            .min = 0,
                                            .above_min = true,
                                            .required = true,
                                            .doc = "Smaller magnitudes count as this one."})},
       .plan = plan,
       .device = kernels::kLog});
  return *kMade;
}

}  // namespace weir::signal
