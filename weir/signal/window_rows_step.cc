#include "weir/signal/window_rows_step.h"

#include <cmath>
#include <utility>

#include "weir/core/error.h"

namespace weir::signal {
namespace {
struct WindowRowsState final : op::State {
  WindowRowsState(const SpectralPlan& plan, std::int64_t frames, std::int64_t channels,
                  std::int64_t floats)
      : feed(plan, frames, channels), scratch(static_cast<std::size_t>(floats)) {}
  SpectralFeed feed;
  std::vector<float> scratch;
};

/// To the nanosecond where the exact time does not fit 64 bits.
Rational later(const Rational& time_s, const Rational& by_s) {
  try {
    return time_s + by_s;
  } catch (const Error&) {
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    return Rational(
        std::llround((time_s.to_double() + by_s.to_double()) * static_cast<double>(kNanoseconds)),
        kNanoseconds);
  }
}

op::Port port_of(const SpectralPlan& plan, const StreamInfo& in, std::vector<Channel> channels,
                 std::int64_t spread) {
  op::Port port{.name = "signal", .stream = in, .ratio = Rational(1, plan.hop), .spread = spread};
  port.stream.type = SampleType::float32;
  port.stream.rate = SampleRate(in.rate.exact() / Rational(plan.hop));
  port.stream.channels = std::move(channels);
  for (auto& segment : port.stream.segments) {
    segment.start_s =
        later(segment.start_s, Rational(plan.length_in(segment.frames), 2) / in.rate.exact());
    segment.frames = plan.windows_in(segment.frames);
    segment.first_frame = 0;
  }
  return port;
}

class WindowRowsOnDevice final : public op::DeviceStep {
 public:
  WindowRowsOnDevice(const op::DevicePlace& place, const SpectralPlan& plan, std::int64_t frames,
                     std::int64_t channels, WindowColumns::Launch launch)
      : spectra_(place, plan, frames, channels), launch_(std::move(launch)) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    out[0].frames = spectra_.push(in, [&](const SpectraOnDevice::Batch& batch) {
      op::DeviceBlock room = out[0].room;
      room.first += batch.first * room.stride;
      launch_(batch, room);
    });
  }
  void hand_over(op::State& to) const override {
    spectra_.hand_over(static_cast<WindowRowsState&>(to).feed);
  }
  void take_over(const op::State& from) override {
    spectra_.take_over(static_cast<const WindowRowsState&>(from).feed);
  }

 private:
  SpectraOnDevice spectra_;
  WindowColumns::Launch launch_;
};
}  // namespace

WindowRowsStep::WindowRowsStep(SpectralPlan plan, const StreamInfo& in,
                               std::vector<Channel> channels, WindowColumns columns)
    : plan_(std::move(plan)),
      columns_(std::move(columns)),
      ports_{port_of(plan_, in, std::move(channels), columns_.spread)} {
  for (const auto& segment : in.segments) {
    frames_.push_back(segment.frames);
  }
}

op::Latency WindowRowsStep::latency() const noexcept {
  const std::int64_t shared = plan_.nperseg - plan_.hop;
  return {shared, shared};
}

std::int64_t WindowRowsStep::max_output(std::int64_t frames) const noexcept {
  return frames / plan_.hop + 1;
}

std::size_t WindowRowsStep::state_bytes(std::int64_t channels) const noexcept {
  return SpectralFeed::bytes(plan_, channels) +
         static_cast<std::size_t>(columns_.scratch_floats) * sizeof(float);
}

std::unique_ptr<op::State> WindowRowsStep::start(const op::StartPoint& at) const {
  return std::make_unique<WindowRowsState>(plan_, frames_[static_cast<std::size_t>(at.segment)],
                                           at.channel_count, columns_.scratch_floats);
}

void WindowRowsStep::run(op::State& state, AnyBlock in, std::span<op::Emission> out) const {
  auto& own = static_cast<WindowRowsState&>(state);
  const std::int64_t before = own.feed.windows();
  own.feed.push(in.as<float>(), [&](const SpectralPiece& piece) {
    columns_.fill(piece, own.scratch.data(), out[0].room.as<float>().row(piece.window - before));
  });
  out[0].frames = own.feed.windows() - before;
}

void WindowRowsStep::save(const op::State& state, op::ByteWriter& to) const {
  static_cast<const WindowRowsState&>(state).feed.save(to);
}

void WindowRowsStep::load(op::State& state, op::ByteReader& from) const {
  static_cast<WindowRowsState&>(state).feed.load(from);
}

std::unique_ptr<op::DeviceStep> WindowRowsStep::device(const op::DevicePlace& place,
                                                       const op::StartPoint& at) const {
  return std::make_unique<WindowRowsOnDevice>(
      place, plan_, frames_[static_cast<std::size_t>(at.segment)], at.channel_count,
      columns_.on_device(place, at.channel_count));
}

std::size_t WindowRowsStep::device_bytes(std::int64_t channels,
                                         std::int64_t frames) const noexcept {
  return SpectraOnDevice::bytes(plan_, channels, frames) + columns_.device_bytes;
}

}  // namespace weir::signal
