#include "weir/signal/ops/hampel/hampel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "weir/signal/ops/hampel/hampel_cl.h"
#include "weir/signal/ops/hampel/hampel_internal.h"

namespace weir::signal {

HampelState::HampelState(std::int64_t width, std::int64_t channel_count)
    : channels(channel_count),
      past(SampleType::float32, width, channel_count),
      sorted(static_cast<std::size_t>(width * padded_channels(channel_count)),
             std::numeric_limits<float>::infinity()),
      nans(static_cast<std::size_t>(padded_channels(channel_count))) {}

const float* HampelState::row(std::int64_t row, Block<const float> in) const noexcept {
  return row >= fed ? in.row(row - fed) : past.as<float>().row(row % past.frames());
}

void HampelState::rebuild_from_past() {
  const std::int64_t width = past.frames();
  const std::int64_t there = std::min(fed, width);
  std::vector<float> window(static_cast<std::size_t>(width));
  for (std::int64_t c = 0; c < channels; ++c) {
    std::fill(window.begin(), window.end(), std::numeric_limits<float>::infinity());
    float count = 0;
    for (std::int64_t row = 0; row < there; ++row) {
      const float value = past.as<float>().row((fed - there + row) % width)[c];
      count += std::isnan(value) ? 1.0F : 0.0F;
      window[static_cast<std::size_t>(row)] = std::isnan(value) ? 0.0F : value;
    }
    std::sort(window.begin(), window.end());
    const std::int64_t first = c / kHampelLanes * kHampelLanes * width + c % kHampelLanes;
    for (std::int64_t i = 0; i < width; ++i) {
      sorted[static_cast<std::size_t>(first + i * kHampelLanes)] =
          window[static_cast<std::size_t>(i)];
    }
    nans[static_cast<std::size_t>(c)] = count;
  }
}

namespace {
class HampelStep final : public op::Step {
 public:
  HampelStep(const Hampel& params, StreamInfo in)
      : width_(params.width),
        half_(params.width / 2),
        factor_(static_cast<float>(params.n_sigma / 0.6744897501960817)) {
    in.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override { return {half_, half_}; }
  std::int64_t settle_frames() const noexcept override { return width_; }
  double tolerance() const noexcept override { return 0; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return Buffer::bytes_for(SampleType::float32, width_, channels) +
           static_cast<std::size_t>((width_ + 1) * padded_channels(channels)) * sizeof(float);
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<HampelState>(width_, at.channel_count);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override;
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& hampel = static_cast<HampelState&>(state);
    const std::int64_t count = std::min(hampel.fed - hampel.emitted, out[0].room.frames());
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(hampel.row(hampel.emitted + i, {}), hampel.channels,
                  out[0].room.as<float>().row(i));
    }
    hampel.emitted += count;
    out[0].frames = count;
    return hampel.emitted == hampel.fed;
  }
  void save(const op::State& state, op::ByteWriter& to) const override;
  void load(op::State& state, op::ByteReader& from) const override;

  bool runs_on(const compute::Target&) const noexcept override {
    return width_ <= kWidestHampelOnDevice;
  }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return width_ <= kWidestHampelOnDevice ? hampel_on(place, width_, factor_, at.channel_count)
                                           : nullptr;
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return static_cast<std::size_t>((width_ + 1) * channels) * sizeof(float);
  }

 private:
  std::int64_t width_;
  std::int64_t half_;
  float factor_;
  std::vector<op::Port> ports_;
};

void HampelStep::run(op::State& state, AnyBlock in, std::span<op::Emission> out) const {
  auto& hampel = static_cast<HampelState&>(state);
  const Block<const float> rows = in.as<float>();
  const Block<float> room = out[0].room.as<float>();
  out[0].frames = 0;
  constexpr std::int64_t kStretch = 64;  // Rows in the second cache while a window is in the first.
  std::array<HampelRow, kStretch> stretch;
  for (std::int64_t first = 0; first < rows.frames(); first += kStretch) {
    const std::int64_t count = std::min(kStretch, rows.frames() - first);
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t row = hampel.fed + first + k;
      const bool emits = row >= half_;
      stretch[static_cast<std::size_t>(k)] = {
          rows.row(first + k), row >= width_ ? hampel.row(row - width_, rows) : nullptr,
          emits ? hampel.row(row - half_, rows) : nullptr,
          emits ? room.row(out[0].frames) : nullptr, row >= width_ - 1};
      out[0].frames += emits ? 1 : 0;
    }
    hampel.replaced += hampel_rows(std::span(stretch).first(static_cast<std::size_t>(count)),
                                   width_, factor_, hampel);
  }
  for (std::int64_t i = std::max<std::int64_t>(0, rows.frames() - width_); i < rows.frames(); ++i) {
    std::copy_n(rows.row(i), hampel.channels,
                hampel.past.as<float>().row((hampel.fed + i) % width_));
  }
  hampel.fed += rows.frames();
  hampel.emitted += out[0].frames;
}

void HampelStep::save(const op::State& state, op::ByteWriter& to) const {
  const auto& hampel = static_cast<const HampelState&>(state);
  to.put(hampel.fed);
  to.put(hampel.emitted);
  to.put(hampel.replaced);
  for (std::int64_t row = 0; row < width_; ++row) {
    to.put_all(std::span<const float>(hampel.past.as<float>().row(row),
                                      static_cast<std::size_t>(hampel.channels)));
  }
}

void HampelStep::load(op::State& state, op::ByteReader& from) const {
  auto& hampel = static_cast<HampelState&>(state);
  hampel.fed = from.get<std::int64_t>();
  hampel.emitted = from.get<std::int64_t>();
  hampel.replaced = from.get<std::int64_t>();
  for (std::int64_t row = 0; row < width_; ++row) {
    from.get_all(std::span<float>(hampel.past.as<float>().row(row),
                                  static_cast<std::size_t>(hampel.channels)));
  }
  hampel.rebuild_from_past();
}

std::unique_ptr<op::Step> plan(const Hampel& params, const op::StepContext& context) {
  if (params.width % 2 == 0) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("width: {} is even and has no middle; try {} or {}", params.width,
                            params.width - 1, params.width + 1));
  }
  if (!std::isfinite(params.n_sigma)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("n_sigma: {} is not a finite number", params.n_sigma));
  }
  return std::make_unique<HampelStep>(params, context.in);
}
}  // namespace

const op::Operator& hampel_operator() {
  using op::field;
  static const auto kMade = op::make_operator<Hampel>(
      {.name = "hampel",
       .summary = "Replace outliers by the running median.",
       .schema =
           op::Schema<Hampel>{
               field("width", &Hampel::width,
                     {.unit = "frames",
                      .min = 3,
                      .max = static_cast<double>(kWidestHampel),
                      .doc = "Samples in the window; odd."}),
               field("n_sigma", &Hampel::n_sigma,
                     {.min = 0,
                      .doc = "Samples further from the median than so many MAD / 0.67449 are "
                             "replaced."})},
       .plan = plan,
       .device = kernels::kHampel});
  return *kMade;
}

}  // namespace weir::signal
