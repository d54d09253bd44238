#include "weir/signal/ops/median/median.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/signal/ops/median/median_cl.h"
#include "weir/signal/ops/median/median_internal.h"

namespace weir::op {

template <>
struct Codec<signal::OddWidth> {
  static std::string type() { return "integer"; }
  static std::vector<std::string> choices() { return {}; }
  static signal::OddWidth read(const Value& value) {
    const std::int64_t frames = value.as_integer();
    if (frames % 2 == 0) {
      throw Error(ErrorCode::invalid_spec, fmt::format("{} is even and has no middle; try {} or {}",
                                                       frames, frames - 1, frames + 1));
    }
    return {frames};
  }
  static Value write(signal::OddWidth width) { return width.frames; }
};

}  // namespace weir::op

namespace weir::signal {

static std::span<const op::EnumName<MedianEdge>> names_of(MedianEdge) {
  static constexpr op::EnumName<MedianEdge> kNames[] = {{"zero", MedianEdge::zero}};
  return kNames;
}

namespace {
class MedianStep final : public op::Step {
 public:
  MedianStep(const Median& params, StreamInfo in)
      : width_(params.width.frames), half_(params.width.frames / 2) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override { return {half_, half_}; }
  std::int64_t settle_frames() const noexcept override { return width_; }
  double tolerance() const noexcept override { return 0; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    const std::size_t sorted = MedianState::sorted_floats(width_, channels) * sizeof(float);
    const std::size_t counts =
        sorted == 0 ? 0 : static_cast<std::size_t>(padded_channels(channels)) * sizeof(float);
    return Buffer::bytes_for(SampleType::float32, width_, channels) +
           Buffer::bytes_for(SampleType::float32, 1, channels) + sorted + counts;
  }
  std::vector<std::string> decisions() const override {
    return {by_network() ? fmt::format("sorting network of {} samples", width_)
                         : fmt::format("sorted window of {} samples", width_)};
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<MedianState>(width_, at.channel_count);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    const Block<const float> rows = in.as<float>();
    out[0].frames = feed(static_cast<MedianState&>(state), rows, rows.frames(), out[0].room);
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& median = static_cast<MedianState&>(state);
    const std::int64_t silent = std::max<std::int64_t>(0, half_ - median.fed);
    const std::int64_t zeros = std::min(half_ - median.zeros_fed, silent + out[0].room.frames());
    out[0].frames = feed(median, {nullptr, 0, median.channels, 0}, zeros, out[0].room);
    median.zeros_fed += zeros;
    return median.zeros_fed == half_;
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return median_on(place, width_, at.channel_count);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return static_cast<std::size_t>(width_ * channels) * sizeof(float);
  }

  void save(const op::State& state, op::ByteWriter& to) const override;
  void load(op::State& state, op::ByteReader& from) const override;

 private:
  bool by_network() const noexcept { return width_ <= kWidestMedianNetwork; }

  /// Feeds `count` rows, zeros after the last of `in`; returns the number of rows emitted.
  std::int64_t feed(MedianState& state, Block<const float> in, std::int64_t count,
                    AnyBlock room) const {
    const MedianRows rows{in, state.past.as<float>(), state.zeros.as<float>().data(), state.fed};
    const MedianSpan span{std::min(count, std::max<std::int64_t>(0, half_ - state.fed)), count};
    const Block<float> to(room.as<float>().data(), span.end - span.first, state.channels,
                          room.stride());
    if (by_network()) {
      std::int64_t last_nan = state.last_nan - state.fed;
      median_by_network(rows, span, to, last_nan);
      state.last_nan = last_nan + state.fed;
    } else {
      median_by_window(rows, span, to, state.sorted.data(), state.nan_count.data());
    }
    const Block<float> past = state.past.as<float>();
    for (std::int64_t i = std::max<std::int64_t>(0, count - width_); i < count; ++i) {
      std::copy_n(rows.row(i), state.channels, past.row((state.fed + i) % width_));
    }
    state.fed += count;
    return to.frames();
  }

  std::int64_t width_;
  std::int64_t half_;
  std::vector<op::Port> ports_;
};

void MedianStep::save(const op::State& state, op::ByteWriter& to) const {
  const auto& median = static_cast<const MedianState&>(state);
  to.put(median.fed);
  to.put(median.zeros_fed);
  to.put(median.last_nan);
  for (std::int64_t row = 0; row < width_; ++row) {
    to.put_all(std::span<const float>(median.past.as<float>().row(row),
                                      static_cast<std::size_t>(median.channels)));
  }
  to.put_all(median.sorted);
  to.put_all(median.nan_count);
}

void MedianStep::load(op::State& state, op::ByteReader& from) const {
  auto& median = static_cast<MedianState&>(state);
  median.fed = from.get<std::int64_t>();
  median.zeros_fed = from.get<std::int64_t>();
  median.last_nan = from.get<std::int64_t>();
  for (std::int64_t row = 0; row < width_; ++row) {
    from.get_all(std::span<float>(median.past.as<float>().row(row),
                                  static_cast<std::size_t>(median.channels)));
  }
  from.get_all(std::span<float>(median.sorted));
  from.get_all(std::span<std::int32_t>(median.nan_count));
}

op::Schema<Median> median_schema() {
  using op::field;
  return op::Schema<Median>{
      field("width", &Median::width,
            {.unit = "frames",
             .min = 1,
             .max = static_cast<double>(kWidestMedian),
             .required = true,
             .aliases = {"kernel_size"},
             .doc = "Samples in the window; odd."}),
      field("edge", &Median::edge,
            {.doc = "What stands outside a segment: zero, that is 0 physical units."})};
}
}  // namespace

const op::Operator& median_operator() {
  static const auto kMade = op::make_operator<Median>(
      {.name = "median",
       .summary = "Running median over time.",
       .schema = median_schema(),
       .plan = [](const Median& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         return std::make_unique<MedianStep>(params, context.in);
       },
       .device = kernels::kMedian});
  return *kMade;
}

}  // namespace weir::signal
