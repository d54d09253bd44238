#include "weir/signal/ops/clamp/clamp.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "weir/signal/bounds.h"
#include "weir/signal/bounds_cl.h"

namespace weir::signal {
namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class ClampStep final : public op::Step {
 public:
  ClampStep(const Clamp& params, StreamInfo in)
      : bounds_(bounds_of(
            in.channels, std::vector<double>(in.channels.size(), params.min.value_or(-kInfinity)),
            std::vector<double>(in.channels.size(), params.max.value_or(kInfinity)))) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  // The count of a limit is rounded to the nearest.
  double tolerance() const noexcept override { return 0x1p-24; }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    return std::make_unique<op::State>();
  }
  void run(op::State&, AnyBlock in, std::span<op::Emission> out) const override {
    clip_rows(bounds_, in.as<float>(), out[0].room.as<float>());
    out[0].frames = in.frames();
  }
  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return clip_on(place, at, bounds_);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return clip_device_bytes(channels);
  }

 private:
  Bounds bounds_;
  std::vector<op::Port> ports_;
};
}  // namespace

void check_limits(const Clamp& params) {
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::invalid_spec, text); };
  if (!params.min && !params.max) {
    refuse("min: neither it nor max is given, so nothing would be clamped");
  }
  if (params.min && std::isnan(*params.min)) {
    refuse("min: nan is not a number");
  }
  if (params.max && std::isnan(*params.max)) {
    refuse("max: nan is not a number");
  }
  if (params.min && params.max && *params.min > *params.max) {
    refuse(fmt::format("min: {} is above max ({})", *params.min, *params.max));
  }
}

const op::Operator& clamp_operator() {
  static const auto kMade = op::make_operator<Clamp>(
      {.name = "clamp",
       .summary = "Hold physical values within limits.",
       .schema =
           op::Schema<Clamp>{op::field("min", &Clamp::min,
                                       {.unit = "each channel's unit",
                                        .aliases = {"a_min"},
                                        .doc = "Values below become this one; default none."}),
                             op::field("max", &Clamp::max,
                                       {.unit = "each channel's unit",
                                        .aliases = {"a_max"},
                                        .doc = "Values above become this one; default none."})},
       .plan = [](const Clamp& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         check_limits(params);
         return std::make_unique<ClampStep>(params, context.in);
       },
       .device = kernels::kBounds});
  return *kMade;
}

}  // namespace weir::signal
