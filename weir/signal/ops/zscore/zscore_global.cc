#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "weir/signal/centring.h"
#include "weir/signal/moment_fit.h"
#include "weir/signal/ops/zscore/zscore_internal.h"
#include "weir/signal/spread_fit.h"

namespace weir::signal {
namespace {
/// What a fit found of each channel, in physical units; NaN where it found nothing.
struct ZscoreFound {
  std::vector<double> middle;
  std::vector<double> scale;
};

std::vector<double> numbers_of(const Value& values, std::string_view name, std::size_t channels) {
  const auto& list = values.at(name).as_array();
  if (list.size() != channels) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: {} values for {} channels", name, list.size(), channels));
  }
  std::vector<double> numbers;
  for (const Value& value : list) {
    numbers.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                      : value.as_number());
  }
  return numbers;
}

class GlobalZscore final : public op::Step {
 public:
  GlobalZscore(const Zscore& params, const StreamInfo& in, FitPlace place, ZscoreFound found)
      : params_(params),
        in_(in),
        place_(std::move(place)),
        found_(std::move(found)),
        centring_(in.channel_count()) {
    StreamInfo out = in;
    out.type = SampleType::float32;
    for (auto& channel : out.channels) {
      channel = scored(std::move(channel));
    }
    ports_.push_back({.name = "signal", .stream = std::move(out)});
    for (std::size_t c = 0; c < found_.scale.size(); ++c) {
      const double gain = in.channels[c].gain;
      // Without spread every sample is the middle.
      const double factor = found_.scale[c] == 0 ? 0 : gain / found_.scale[c];
      centring_.set(c, gain == 0 ? 0 : found_.middle[c] / gain, factor);
    }
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  double tolerance() const noexcept override { return 3e-7; }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    WEIR_CHECK(measured());
    return std::make_unique<op::State>();
  }
  void run(op::State&, AnyBlock in, std::span<op::Emission> out) const override {
    centre_rows(centring_, in.as<float>(), out[0].room.as<float>());
    out[0].frames = in.frames();
  }
  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return centre_on(place, at, centring_);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return centring_device_bytes(channels);
  }

  op::Fit fit() const noexcept override {
    return measured()                        ? op::Fit::none
           : params_.fit == ZscoreFit::whole ? op::Fit::whole
                                             : op::Fit::sample;
  }
  std::unique_ptr<op::Fitter> fitter() const override {
    if (params_.fit == ZscoreFit::whole) {
      return make_moment_fitter(in_);
    }
    const Spread spread = mode_of(params_) == ZscoreMode::median_mad ? Spread::mad : Spread::sd;
    return make_spread_fitter(spread, in_, place_, {.scale = "scale", .middle = "middle"});
  }
  std::size_t temporary_bytes() const noexcept override {
    return spools() ? sample_fit_temporary_bytes(in_, place_.memory_bytes) : 0;
  }
  std::size_t fitter_bytes() const noexcept override {
    return measured() ? 0
           : spools() ? sample_fit_bytes(in_, place_.memory_bytes)
                      : moment_fit_bytes(in_.channel_count());
  }
  std::size_t fitter_task_bytes() const noexcept override {
    return spools() ? sample_fit_task_bytes(in_) : 0;
  }
  std::unique_ptr<op::Step> fitted(const Value& values) const override {
    const std::size_t channels = in_.channels.size();
    return std::make_unique<GlobalZscore>(
        params_, in_, place_,
        ZscoreFound{numbers_of(values, "middle", channels), numbers_of(values, "scale", channels)});
  }
  std::vector<std::string> decisions() const override {
    const auto of =
        mode_of(params_) == ZscoreMode::mean_std ? "mean and standard deviation" : "median and MAD";
    if (!measured()) {
      return {
          params_.fit == ZscoreFit::whole
              ? fmt::format("{} of each channel, measured over all frames before the run", of)
              : fmt::format("{} of each channel, measured from at most {} frames before the run",
                            of, sample_fit_frames(in_))};
    }
    std::vector<std::string> lines{fmt::format("{} of each channel, measured", of)};
    const auto flat = std::count(found_.scale.begin(), found_.scale.end(), 0.0);
    if (flat > 0) {
      lines.push_back(fmt::format("{} channels have no spread: their scores are 0", flat));
    }
    const auto unknown = std::count_if(found_.scale.begin(), found_.scale.end(),
                                       [](double scale) { return std::isnan(scale); });
    if (unknown > 0) {
      lines.push_back(
          fmt::format("{} channels had no finite value to measure: their scores are NaN", unknown));
    }
    return lines;
  }

 private:
  bool measured() const noexcept { return found_.scale.size() == in_.channels.size(); }
  bool spools() const noexcept { return !measured() && params_.fit == ZscoreFit::sample; }

  Zscore params_;
  StreamInfo in_;
  FitPlace place_;
  ZscoreFound found_;  ///< Empty until fitted.
  Centring centring_;
  std::vector<op::Port> ports_;
};
}  // namespace

std::unique_ptr<op::Step> plan_global_zscore(const Zscore& params, const op::StepContext& context) {
  return std::make_unique<GlobalZscore>(
      params, context.in, FitPlace{context.memory_bytes, context.temporary_folder}, ZscoreFound{});
}

}  // namespace weir::signal
