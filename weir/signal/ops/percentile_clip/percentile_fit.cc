#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "weir/signal/ops/percentile_clip/percentile_clip_internal.h"
#include "weir/signal/sample_spool.h"

namespace weir::signal {
namespace {
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

SpoolShape shape_of(const StreamInfo& in, std::size_t memory_bytes) {
  return {in.channel_count(), sample_fit_frames(in), memory_bytes};
}

class PercentileFitter final : public op::Fitter {
 public:
  PercentileFitter(const PercentileClip& params, const StreamInfo& in, const FitPlace& place)
      : params_(params),
        channels_(in.channels),
        spool_(shape_of(in, place.memory_bytes), place.folder),
        lower_(in.channels.size(), kNan),
        upper_(in.channels.size(), kNan) {}

  void add(AnyBlock block) override { spool_.add(block.as<float>()); }

  std::int64_t tasks() const noexcept override { return std::ssize(channels_); }
  void run_task(std::int64_t task) override {
    std::vector<float> counts;
    counts.reserve(static_cast<std::size_t>(spool_.frames()));
    spool_.visit(task, [&](std::span<const float> more) {
      std::copy_if(more.begin(), more.end(), std::back_inserter(counts),
                   [](float count) { return !std::isnan(count); });
    });
    const auto c = static_cast<std::size_t>(task);
    const double gain = channels_[c].gain;
    const auto measure = [&](const std::optional<double>& percent, double& to) {
      if (percent && !counts.empty()) {
        // Where the gain is negative, the greatest counts are the least values.
        to = gain * percentile_of(counts, gain < 0 ? 100 - *percent : *percent);
      }
    };
    measure(params_.lower, lower_[c]);
    measure(params_.upper, upper_[c]);
  }

  Value finish() override {
    Value values = Value::object();
    values.set("lower", array_of(lower_));
    values.set("upper", array_of(upper_));
    return values;
  }

 private:
  static Value array_of(const std::vector<double>& numbers) {
    Value array = Value::array();
    for (const double number : numbers) {
      array.push_back(std::isfinite(number) ? Value(number) : Value());
    }
    return array;
  }

  PercentileClip params_;
  std::vector<Channel> channels_;
  SampleSpool spool_;
  std::vector<double> lower_;
  std::vector<double> upper_;
};
}  // namespace

double percentile_of(std::span<float> values, double percent) {
  const double place = static_cast<double>(values.size() - 1) * percent / 100;
  const auto below = static_cast<std::ptrdiff_t>(place);
  const double part = place - static_cast<double>(below);
  const auto at = values.begin() + below;
  std::nth_element(values.begin(), at, values.end());
  const double low = *at;
  if (part == 0 || at + 1 == values.end()) {
    return low;
  }
  const double high = *std::min_element(at + 1, values.end());
  const double rise = high - low;
  return part < 0.5 ? low + rise * part : high - rise * (1 - part);
}

std::unique_ptr<op::Fitter> make_percentile_fitter(const PercentileClip& params,
                                                   const StreamInfo& in, const FitPlace& place) {
  return std::make_unique<PercentileFitter>(params, in, place);
}

std::size_t percentile_fit_task_bytes(const StreamInfo& in, std::size_t memory_bytes) {
  const auto piece = static_cast<std::size_t>(shape_of(in, memory_bytes).tile_frames);
  return (static_cast<std::size_t>(sample_fit_frames(in)) + piece) * sizeof(float);
}

}  // namespace weir::signal
