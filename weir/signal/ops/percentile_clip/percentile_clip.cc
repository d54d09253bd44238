#include "weir/signal/ops/percentile_clip/percentile_clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "weir/signal/bounds.h"
#include "weir/signal/bounds_cl.h"
#include "weir/signal/ops/percentile_clip/percentile_clip_internal.h"

namespace weir::signal {
namespace {
/// Physical limits of each channel; infinite where there is none. Empty until fitted.
struct PercentileLimits {
  std::vector<double> lower;
  std::vector<double> upper;
};

class PercentileClipStep final : public op::Step {
 public:
  PercentileClipStep(const PercentileClip& params, StreamInfo in, FitPlace place,
                     PercentileLimits limits)
      : params_(params), place_(std::move(place)), limits_(std::move(limits)) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
    if (measured()) {
      bounds_ = bounds_of(stream().channels, limits_.lower, limits_.upper);
    }
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  double tolerance() const noexcept override { return 0x1p-24; }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    WEIR_CHECK(measured());
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

  op::Fit fit() const noexcept override { return measured() ? op::Fit::none : op::Fit::sample; }
  std::unique_ptr<op::Fitter> fitter() const override {
    return make_percentile_fitter(params_, stream(), place_);
  }
  std::size_t temporary_bytes() const noexcept override {
    return measured() ? 0 : sample_fit_temporary_bytes(stream(), place_.memory_bytes);
  }
  std::size_t fitter_bytes() const noexcept override {
    return measured() ? 0 : sample_fit_bytes(stream(), place_.memory_bytes);
  }
  std::size_t fitter_task_bytes() const noexcept override {
    return measured() ? 0 : percentile_fit_task_bytes(stream(), place_.memory_bytes);
  }
  std::unique_ptr<op::Step> fitted(const Value& values) const override {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return std::make_unique<PercentileClipStep>(
        params_, stream(), place_,
        PercentileLimits{limits_of(values, "lower", -kInfinity),
                         limits_of(values, "upper", kInfinity)});
  }
  std::vector<std::string> decisions() const override;

 private:
  const StreamInfo& stream() const noexcept { return ports_.front().stream; }
  bool measured() const noexcept { return limits_.lower.size() == stream().channels.size(); }
  std::vector<double> limits_of(const Value& values, std::string_view name, double none) const {
    const auto& list = values.at(name).as_array();
    if (list.size() != stream().channels.size()) {
      throw Error(ErrorCode::invalid_spec, fmt::format("{}: {} values for {} channels", name,
                                                       list.size(), stream().channels.size()));
    }
    std::vector<double> limits;
    for (const Value& value : list) {
      limits.push_back(value.is_null() ? none : value.as_number());
    }
    return limits;
  }

  PercentileClip params_;
  FitPlace place_;
  PercentileLimits limits_;
  Bounds bounds_;
  std::vector<op::Port> ports_;
};

std::vector<std::string> PercentileClipStep::decisions() const {
  const auto percent = [](const std::optional<double>& value) {
    return value ? fmt::format("{} %", *value) : std::string("none");
  };
  std::vector<std::string> lines{fmt::format("clipped to the percentiles {} and {} of each channel",
                                             percent(params_.lower), percent(params_.upper))};
  if (!measured()) {
    lines.push_back(
        fmt::format("measured from at most {} frames before the run", sample_fit_frames(stream())));
  }
  return lines;
}

std::unique_ptr<op::Step> plan(const PercentileClip& params, const op::StepContext& context) {
  if (!params.lower && !params.upper) {
    throw Error(ErrorCode::invalid_spec,
                "lower: neither it nor upper is given, so nothing would be clipped");
  }
  if (params.lower && params.upper && *params.lower >= *params.upper) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("lower: {} % is not below upper ({} %)", *params.lower, *params.upper));
  }
  return std::make_unique<PercentileClipStep>(
      params, context.in, FitPlace{context.memory_bytes, context.temporary_folder},
      PercentileLimits{});
}
}  // namespace

const op::Operator& percentile_clip_operator() {
  using op::field;
  static const auto kMade = op::make_operator<PercentileClip>(
      {.name = "percentile_clip",
       .summary = "Hold each channel within percentiles of its own values.",
       .schema =
           op::Schema<PercentileClip>{
               field("lower", &PercentileClip::lower,
                     {.unit = "%", .min = 0, .max = 100, .doc = "Values below become this one."}),
               field("upper", &PercentileClip::upper,
                     {.unit = "%", .min = 0, .max = 100, .doc = "Values above become this one."})},
       .plan = plan,
       .device = kernels::kBounds});
  return *kMade;
}

}  // namespace weir::signal
