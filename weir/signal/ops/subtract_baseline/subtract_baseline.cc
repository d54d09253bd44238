#include "weir/signal/ops/subtract_baseline/subtract_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/compute/target.h"
#include "weir/signal/ops/subtract_baseline/subtract_baseline_cl.h"
#include "weir/signal/ops/subtract_baseline/subtract_baseline_internal.h"

namespace weir::signal {

static std::span<const op::EnumName<BaselineStatistic>> names_of(BaselineStatistic) {
  static constexpr op::EnumName<BaselineStatistic> kNames[] = {
      {"mean", BaselineStatistic::mean}, {"median", BaselineStatistic::median}};
  return kNames;
}

double baseline_of(BaselineStatistic statistic, std::span<float> values) {
  const auto end = std::partition(values.begin(), values.end(),
                                  [](float value) { return std::isfinite(value); });
  const std::int64_t count = end - values.begin();
  if (count == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (statistic == BaselineStatistic::mean) {
    double sum = 0;
    std::for_each(values.begin(), end, [&](float value) { sum += value; });
    return sum / static_cast<double>(count);
  }
  const auto upper = values.begin() + count / 2;
  std::nth_element(values.begin(), upper, end);
  return count % 2 == 1
             ? *upper
             : (static_cast<double>(*std::max_element(values.begin(), upper)) + *upper) / 2;
}

namespace {
class SubtractBaselineStep final : public op::Step {
 public:
  SubtractBaselineStep(BaselineStatistic statistic, std::int64_t rows, StreamInfo in)
      : statistic_(statistic), rows_(rows) {
    in.type = SampleType::float32;
    for (const Segment& segment : in.segments) {
      longest_ = std::max(longest_, segment.frames);
    }
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override { return {rows_, rows_}; }
  // A State that begins later has another baseline, for good.
  std::int64_t settle_frames() const noexcept override { return longest_; }
  double tolerance() const noexcept override { return 3e-7; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return Buffer::bytes_for(SampleType::float32, rows_, channels) +
           (static_cast<std::size_t>(rows_) +
            3 * static_cast<std::size_t>(padded_channels(channels))) *
               sizeof(float);
  }
  std::vector<std::string> decisions() const override {
    return {
        fmt::format("{} of the first {} frames of each segment; the output is held back by as "
                    "many",
                    op::Codec<BaselineStatistic>::write(statistic_).as_string(), rows_)};
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<BaselineState>(rows_, at.channel_count);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& baseline = static_cast<BaselineState&>(state);
    const Block<const float> rows = in.as<float>();
    const std::int64_t known = baseline.fed + rows.frames();
    if (baseline.fed < rows_ && known >= rows_) {
      measure(baseline, rows, rows_);
    }
    emit(baseline, rows, std::max(baseline.emitted, known - rows_), out[0]);
    for (std::int64_t i = std::max<std::int64_t>(0, rows.frames() - rows_); i < rows.frames();
         ++i) {
      std::copy_n(rows.row(i), baseline.channels,
                  baseline.past.as<float>().row((baseline.fed + i) % rows_));
    }
    baseline.fed = known;
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& baseline = static_cast<BaselineState&>(state);
    if (baseline.emitted == 0 && baseline.fed < rows_) {
      measure(baseline, {}, baseline.fed);
    }
    emit(baseline, {}, std::min(baseline.fed, baseline.emitted + out[0].room.frames()), out[0]);
    return baseline.emitted == baseline.fed;
  }

  void save(const op::State& state, op::ByteWriter& to) const override;
  void load(op::State& state, op::ByteReader& from) const override;

  bool runs_on(const compute::Target& target) const noexcept override { return target.fp64; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return place.device.target().fp64
               ? subtract_baseline_on(place, statistic_, rows_, at.channel_count)
               : nullptr;
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return static_cast<std::size_t>((rows_ + 2) * channels) * sizeof(float);
  }

 private:
  /// From the segment's first `count` rows.
  void measure(BaselineState& state, Block<const float> in, std::int64_t count) const {
    for (std::int64_t c = 0; c < state.channels; ++c) {
      for (std::int64_t row = 0; row < count; ++row) {
        state.column[static_cast<std::size_t>(row)] =
            row >= state.fed ? in.row(row - state.fed)[c] : state.past.as<float>().row(row)[c];
      }
      const auto values = std::span(state.column).first(static_cast<std::size_t>(count));
      state.centring.set(static_cast<std::size_t>(c), baseline_of(statistic_, values), 1);
    }
  }

  /// Rows from `emitted` to `end`, which stand in the ring or in the block.
  void emit(BaselineState& state, Block<const float> in, std::int64_t end,
            op::Emission& out) const {
    const Block<float> room = out.room.as<float>();
    out.frames = 0;
    while (state.emitted < end) {
      const std::int64_t at = state.emitted;
      const bool kept = at < state.fed;
      const Block<const float> from =
          kept ? Block<const float>(state.past.as<float>()).slice(at % rows_, rows_ - at % rows_)
               : in.slice(at - state.fed, in.frames() - (at - state.fed));
      const std::int64_t count =
          std::min({from.frames(), end - at, kept ? state.fed - at : end - at});
      centre_rows(state.centring, from.slice(0, count), room.slice(out.frames, count));
      state.emitted += count;
      out.frames += count;
    }
  }

  BaselineStatistic statistic_;
  std::int64_t rows_;
  std::int64_t longest_ = 0;
  std::vector<op::Port> ports_;
};

void SubtractBaselineStep::save(const op::State& state, op::ByteWriter& to) const {
  const auto& baseline = static_cast<const BaselineState&>(state);
  to.put(baseline.fed);
  to.put(baseline.emitted);
  for (std::int64_t row = 0; row < rows_; ++row) {
    to.put_all(std::span<const float>(baseline.past.as<float>().row(row),
                                      static_cast<std::size_t>(baseline.channels)));
  }
  to.put_all(baseline.centring.middle);
  to.put_all(baseline.centring.rest);
}

void SubtractBaselineStep::load(op::State& state, op::ByteReader& from) const {
  auto& baseline = static_cast<BaselineState&>(state);
  baseline.fed = from.get<std::int64_t>();
  baseline.emitted = from.get<std::int64_t>();
  for (std::int64_t row = 0; row < rows_; ++row) {
    from.get_all(std::span<float>(baseline.past.as<float>().row(row),
                                  static_cast<std::size_t>(baseline.channels)));
  }
  from.get_all(std::span(baseline.centring.middle));
  from.get_all(std::span(baseline.centring.rest));
}

std::unique_ptr<op::Step> plan(const SubtractBaseline& params, const op::StepContext& context) {
  constexpr double kMostFrames = 1 << 26;
  const SampleRate& rate = context.in.rate;
  if (!std::isfinite(params.baseline_s) || params.baseline_s * rate.hz() > kMostFrames) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("baseline_s: {} s are over {:.0f} frames, which would be held in memory",
                    params.baseline_s, kMostFrames));
  }
  const std::int64_t rows =
      in_context("baseline_s", [&] { return rate.ceil_frames(params.baseline_s); });
  return std::make_unique<SubtractBaselineStep>(params.statistic, std::max<std::int64_t>(rows, 1),
                                                context.in);
}
}  // namespace

const op::Operator& subtract_baseline_operator() {
  using op::field;
  static const auto kMade = op::make_operator<SubtractBaseline>(
      {.name = "subtract_baseline",
       .summary = "Subtract the mean or median of the first seconds of a segment.",
       .schema =
           op::Schema<SubtractBaseline>{
               field("baseline_s", &SubtractBaseline::baseline_s,
                     {.unit = "s",
                      .min = 0,
                      .above_min = true,
                      .required = true,
                      .doc = "From a segment's start; all of it where it is shorter."}),
               field("statistic", &SubtractBaseline::statistic, {.doc = "Of those samples."})},
       .plan = plan,
       .device = kernels::kSubtractBaseline});
  return *kMade;
}

}  // namespace weir::signal
