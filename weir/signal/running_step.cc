#include "weir/signal/running_step.h"

#include <fmt/format.h>

#include "weir/compute/target.h"

namespace weir::signal {
namespace {
class RunningStep final : public op::Step {
 public:
  RunningStep(const RunningWindow& window, StreamInfo stream) : window_(window) {
    stream.type = SampleType::float32;
    ports_.push_back({.name = "signal", .stream = std::move(stream)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override { return {window_.reach, window_.reach}; }
  std::int64_t settle_frames() const noexcept override { return window_.reach; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return running_state_bytes(window_, channels);
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<RunningState>(window_, at.channel_count);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    run_window(window_, static_cast<RunningState&>(state), in.as<float>(), out[0]);
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    return finish_window(window_, static_cast<RunningState&>(state), out[0]);
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    save_window(static_cast<const RunningState&>(state), to);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    load_window(static_cast<RunningState&>(state), from);
  }
  bool runs_on(const compute::Target& target) const noexcept override { return target.fp64; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return place.device.target().fp64 ? running_on(place, window_, at.channel_count) : nullptr;
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    return running_device_bytes(window_, channels, frames);
  }
  std::vector<std::string> decisions() const override {
    return {fmt::format("window of {} frames, sums in float64 made anew every {} frames",
                        2 * window_.reach + 1, kRunningGrid)};
  }

 private:
  RunningWindow window_;
  std::vector<op::Port> ports_;
};
}  // namespace

std::unique_ptr<op::Step> make_running_step(const RunningWindow& window, StreamInfo out) {
  return std::make_unique<RunningStep>(window, std::move(out));
}

}  // namespace weir::signal
