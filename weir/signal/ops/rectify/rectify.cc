#include "weir/signal/ops/rectify/rectify.h"

#include <cmath>

#include "weir/signal/ops/rectify/rectify_cl.h"
#include "weir/signal/ops/rectify/rectify_internal.h"

namespace weir::signal {

static std::span<const op::EnumName<RectifyMode>> names_of(RectifyMode) {
  static constexpr op::EnumName<RectifyMode> kNames[] = {{"full", RectifyMode::full},
                                                         {"half", RectifyMode::half}};
  return kNames;
}

namespace {
class RectifyStep final : public op::Step {
 public:
  RectifyStep(const Rectify& params, StreamInfo in)
      : mode_(params.mode), signs_(physical_signs(in.channels)) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  double tolerance() const noexcept override { return 0; }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    return std::make_unique<op::State>();
  }
  void run(op::State&, AnyBlock in, std::span<op::Emission> out) const override {
    rectify_rows(mode_, signs_.data(), in.as<float>(), out[0].room.as<float>());
    out[0].frames = in.frames();
  }
  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint&) const override {
    return rectify_on(place, mode_, signs_);
  }
  std::size_t device_bytes(std::int64_t, std::int64_t) const noexcept override {
    return signs_.size() * sizeof(float);
  }

 private:
  RectifyMode mode_;
  std::vector<float> signs_;
  std::vector<op::Port> ports_;
};
}  // namespace

std::vector<float> physical_signs(const std::vector<Channel>& channels) {
  std::vector<float> signs(
      static_cast<std::size_t>(padded_channels(static_cast<std::int64_t>(channels.size()))), 1.0F);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    signs[c] = std::signbit(channels[c].gain) ? -1.0F : 1.0F;
  }
  return signs;
}

const op::Operator& rectify_operator() {
  static const auto kMade = op::make_operator<Rectify>(
      {.name = "rectify",
       .summary = "Absolute values, or the positive half.",
       .schema = op::Schema<Rectify>{op::field(
           "mode", &Rectify::mode,
           {.doc = "full: the magnitude; half: negative physical values become 0."})},
       .plan = [](const Rectify& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         return std::make_unique<RectifyStep>(params, context.in);
       },
       .device = kernels::kRectify});
  return *kMade;
}

}  // namespace weir::signal
