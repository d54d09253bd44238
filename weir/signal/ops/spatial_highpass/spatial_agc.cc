#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>

#include "weir/core/error.h"
#include "weir/signal/channel_list.h"
#include "weir/signal/ops/spatial_highpass/spatial_agc_internal.h"

namespace weir::signal {
namespace {
/// Rows gone through at once.
constexpr std::int64_t kStretch = 256;
constexpr std::int64_t kLongest = 100'000;

PolyphasePlan plan_amplitude(const std::vector<double>& taps) {
  PolyphasePlan plan = plan_taps(taps, std::ssize(taps) / 2);
  choose_sums(plan, SumMethod::automatic);
  return plan;
}

std::vector<std::int32_t> controlled_in(const StreamInfo& in) {
  std::vector<std::int32_t> controlled(in.channels.size());
  for (const std::int64_t c : electrical_channels(in.channels)) {
    controlled[static_cast<std::size_t>(c)] = 1;
  }
  return controlled;
}

class SpatialAgcStep final : public op::Step {
 public:
  SpatialAgcStep(const std::vector<double>& taps, std::unique_ptr<op::Step> product,
                 const StreamInfo& in, op::Port port, std::vector<std::string> decisions)
      : amplitude_(plan_amplitude(taps), Edge::zero, {.name = "signal", .stream = in}),
        product_(std::move(product)),
        controlled_(controlled_in(in)),
        ports_{std::move(port)},
        decisions_(std::move(decisions)) {}

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::none; }
  op::Latency latency() const noexcept override { return amplitude_.latency(); }
  std::int64_t settle_frames() const noexcept override { return amplitude_.settle_frames(); }
  std::int64_t max_output(std::int64_t frames) const noexcept override {
    return amplitude_.max_output(frames);
  }
  double tolerance() const noexcept override { return product_->tolerance(); }
  std::vector<std::string> decisions() const override { return decisions_; }

  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    const auto rows = [channels](std::int64_t count) {
      return Buffer::bytes_for(SampleType::float32, count, channels);
    };
    return amplitude_.state_bytes(channels) + product_->state_bytes(channels) +
           rows(waiting_rows() + kStretch) + rows(kStretch) +
           2 * rows(amplitude_.max_output(kStretch));
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    auto state = std::make_unique<SpatialAgcState>();
    const auto rows = [&](std::int64_t count) {
      return Buffer(SampleType::float32, count, at.channel_count);
    };
    state->amplitude = amplitude_.start(at);
    state->product = product_->start(at);
    state->past = rows(waiting_rows() + kStretch);
    state->loud = rows(kStretch);
    state->gain = rows(amplitude_.max_output(kStretch));
    state->level = rows(amplitude_.max_output(kStretch));
    state->fed = state->emitted = at.first_frame;
    return state;
  }

  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<SpatialAgcState&>(state);
    out[0].frames = 0;
    for (std::int64_t first = 0; first < in.frames(); first += kStretch) {
      const auto rows = in.as<float>().slice(first, std::min(kStretch, in.frames() - first));
      const auto width = static_cast<std::size_t>(rows.channels());
      for (std::int64_t f = 0; f < rows.frames(); ++f) {
        const float* from = rows.row(f);
        std::memcpy(own.past.as<float>().row((own.fed + f) % own.past.frames()), from,
                    width * sizeof(float));
        float* loud = own.loud.as<float>().row(f);
        std::transform(from, from + width, loud, [](float value) { return std::fabs(value); });
      }
      own.fed += rows.frames();
      op::Emission gain{own.gain.block(), 0, nullptr};
      amplitude_.run(*own.amplitude, own.loud.block().slice(0, rows.frames()), {&gain, 1});
      emit(own, gain.frames, out[0]);
    }
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<SpatialAgcState&>(state);
    out[0].frames = 0;
    const std::int64_t room = std::min(own.gain.frames(), out[0].room.frames());
    op::Emission gain{own.gain.block().slice(0, room), 0, nullptr};
    const bool done = amplitude_.finish(*own.amplitude, {&gain, 1});
    emit(own, gain.frames, out[0]);
    return done;
  }

  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const SpatialAgcState&>(state);
    to.put(own.fed);
    to.put(own.emitted);
    amplitude_.save(*own.amplitude, to);
    for (std::int64_t row = 0; row < own.past.frames(); ++row) {
      to.put_all(std::span<const float>(own.past.as<float>().row(row), controlled_.size()));
    }
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<SpatialAgcState&>(state);
    own.fed = from.get<std::int64_t>();
    own.emitted = from.get<std::int64_t>();
    amplitude_.load(*own.amplitude, from);
    for (std::int64_t row = 0; row < own.past.frames(); ++row) {
      from.get_all(std::span(own.past.as<float>().row(row), controlled_.size()));
    }
  }

  bool runs_on(const compute::Target& target) const noexcept override {
    return product_->runs_on(target);
  }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return spatial_agc_on(place, agc(), at);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    return spatial_agc_device_bytes(agc(), channels, frames);
  }

 private:
  std::int64_t waiting_rows() const noexcept {
    return std::max(amplitude_.latency().at_start, amplitude_.latency().steady) + 1;
  }
  SpatialAgc agc() const noexcept { return {amplitude_, *product_, controlled_, waiting_rows()}; }

  /// The rows whose gain is known, behind those in `out`.
  void emit(SpatialAgcState& own, std::int64_t count, op::Emission& out) const {
    if (count == 0) {
      return;
    }
    const auto width = static_cast<std::int64_t>(controlled_.size());
    for (std::int64_t row = 0; row < count; ++row) {
      const float* from = own.past.as<float>().row((own.emitted + row) % own.past.frames());
      float* gain = own.gain.as<float>().row(row);
      float* level = own.level.as<float>().row(row);
      for (std::int64_t c = 0; c < width; ++c) {
        const bool controlled = controlled_[static_cast<std::size_t>(c)] != 0;
        const float value = gain[c] == 0.0F ? 0.0F : from[c] / gain[c];
        level[c] = controlled ? value : from[c];
        gain[c] = controlled ? gain[c] : 1.0F;
      }
    }
    op::Emission made{out.room.slice(out.frames, count), 0, nullptr};
    product_->run(*own.product, own.level.block().slice(0, count), {&made, 1});
    for (std::int64_t row = 0; row < count; ++row) {
      float* to = made.room.as<float>().row(row);
      const float* gain = own.gain.as<float>().row(row);
      std::transform(to, to + width, gain, to, std::multiplies<>());
    }
    own.emitted += count;
    out.frames += count;
  }

  PolyphaseStep amplitude_;
  std::unique_ptr<op::Step> product_;
  std::vector<std::int32_t> controlled_;
  std::vector<op::Port> ports_;
  std::vector<std::string> decisions_;
};
}  // namespace

std::vector<double> amplitude_taps(double window_s, const SampleRate& rate) {
  const double half = std::nearbyint(window_s * rate.hz() / 2);
  if (half > static_cast<double>(kLongest)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("agc_window_length_s: {} s are more than {} frames at {}", window_s,
                            2 * kLongest, rate.text()));
  }
  const auto count = 2 * static_cast<std::int64_t>(half) + 1;
  std::vector<double> taps(static_cast<std::size_t>(count), 1.0);
  for (std::int64_t i = 0; i < count && count > 1; ++i) {
    taps[static_cast<std::size_t>(i)] =
        0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) /
                             static_cast<double>(count - 1));
  }
  const double sum = std::accumulate(taps.begin(), taps.end(), 0.0);
  for (double& tap : taps) {
    tap /= sum;
  }
  return taps;
}

std::unique_ptr<op::Step> spatial_agc_step(double window_s, std::unique_ptr<op::Step> product,
                                           const StreamInfo& in, op::Port port,
                                           std::vector<std::string> decisions) {
  const auto taps = amplitude_taps(window_s, in.rate);
  decisions.push_back(fmt::format("amplitudes of {} frames", taps.size()));
  return std::make_unique<SpatialAgcStep>(taps, std::move(product), in, std::move(port),
                                          std::move(decisions));
}

}  // namespace weir::signal
