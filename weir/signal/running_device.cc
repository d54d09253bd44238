#include <algorithm>
#include <utility>

#include "weir/signal/kept_rows.h"
#include "weir/signal/running_moments.h"
#include "weir/signal/running_moments_cl.h"

namespace weir::signal {
namespace {
/// Stretches that a device holds: those of the windows and of a block.
std::int64_t capacity_for(const RunningWindow& window, std::int64_t frames) noexcept {
  return window.stretches_kept() + frames / kRunningGrid + 2;
}

class RunningOnDevice final : public op::DeviceStep {
 public:
  RunningOnDevice(const op::DevicePlace& place, const RunningWindow& window, std::int64_t channels)
      : queue_(place.queue),
        begin_(kernel(place.device, "running_begin")),
        stretch_(kernel(place.device, "running_stretches")),
        rows_(kernel(place.device, "running_rows")),
        window_(window),
        channels_(channels),
        capacity_(capacity_for(window, place.max_frames)),
        past_(place, window.rows_kept(), channels),
        centre_(floats(place.device, channels)),
        stretches_(place.device.allocate(static_cast<std::size_t>(capacity_) * sums_size() *
                                         sizeof(double))),
        before_(place.device.allocate(place.queue, std::vector<double>(sums_size()))),
        after_(place.device.allocate(place.queue, std::vector<double>(sums_size()))) {
    queue_.clear(centre_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    if (fed_ == 0 && in.frames > 0) {
      queue_.launch(begin_, {.items = {channels_, 1}}, {in.buffer, in.first, centre_, narrow()});
    }
    if (in.frames > 0) {
      const std::int64_t touched = (fed_ + in.frames - 1) / kRunningGrid - fed_ / kRunningGrid + 1;
      queue_.launch(stretch_, {.items = {channels_, touched}, .group = {32, 2}},
                    {in.buffer, in.first, in.stride, centre_, stretches_, narrow(), capacity_, fed_,
                     in.frames});
    }
    emit(in, std::max(emitted_, fed_ + in.frames - window_.reach), out[0]);
    past_.keep(in, fed_);
    fed_ += in.frames;
  }
  bool finish(std::span<op::DeviceEmission> out) override {
    emit(past_.instead_of_block(), std::min(fed_, emitted_ + out[0].room.frames), out[0]);
    return emitted_ == fed_;
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<RunningState&>(to);
    state.fed = fed_;
    state.emitted = emitted_;
    past_.hand_over(state.past.as<float>());
    const auto centre = queue_.download<float>(centre_);
    std::copy_n(centre.data(), channels_, state.centre.as<float>().row(0));
    copy_sums(queue_.download<double>(before_).data(), channels_, state.sums.data(), padded());
    state.rebuild_stretches();
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const RunningState&>(from);
    fed_ = state.fed;
    emitted_ = state.emitted;
    past_.take_over(state.past.as<float>());
    queue_.upload(centre_, std::span<const float>(state.centre.as<float>().row(0),
                                                  static_cast<std::size_t>(channels_)));
    std::vector<double> sums(sums_size());
    copy_sums(state.sums.data(), padded(), sums.data(), channels_);
    queue_.upload(before_, sums);
    std::vector<double> stretches(sums_size() * static_cast<std::size_t>(capacity_));
    const std::int64_t last = fed_ / kRunningGrid;
    for (std::int64_t number = std::max<std::int64_t>(0, last + 1 - window_.stretches_kept());
         number <= last; ++number) {
      copy_sums(state.stretch(number), padded(),
                stretches.data() + static_cast<std::size_t>(number % capacity_) * sums_size(),
                channels_);
    }
    queue_.upload(stretches_, stretches);
  }

 private:
  static compute::Kernel kernel(compute::Device& device, const char* entry) {
    return device.kernel(kernels::kRunningMoments, entry, compute::Real::float64);
  }
  static compute::Buffer floats(compute::Device& device, std::int64_t count) {
    return device.allocate(static_cast<std::size_t>(count) * sizeof(float));
  }
  std::int64_t padded() const noexcept { return padded_channels(channels_); }
  /// Three sums a channel, from rows of one length to rows of another.
  void copy_sums(const double* from, std::int64_t from_stride, double* to,
                 std::int64_t to_stride) const {
    for (std::int64_t part = 0; part < 3; ++part) {
      std::copy_n(from + part * from_stride, channels_, to + part * to_stride);
    }
  }
  std::size_t sums_size() const noexcept { return static_cast<std::size_t>(3 * channels_); }
  std::int32_t narrow() const noexcept { return static_cast<std::int32_t>(channels_); }

  void emit(const op::DeviceBlock& in, std::int64_t end, op::DeviceEmission& out) {
    out.frames = end - emitted_;
    if (out.frames == 0) {
      return;
    }
    const std::int64_t blocks = (end - 1) / kRunningGrid - emitted_ / kRunningGrid + 1;
    const op::DeviceBlock& to = out.room;
    queue_.launch(
        rows_, {.items = {channels_, blocks}, .group = {32, 1}},
        {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, past_.buffer(), centre_,
         stretches_, before_, after_, narrow(), capacity_, std::int32_t{window_.divide ? 1 : 0},
         window_.reach, fed_, fed_ + in.frames, emitted_, end});
    // The first item reads what the last one would write.
    std::swap(before_, after_);
    emitted_ = end;
  }

  compute::Queue& queue_;
  compute::Kernel begin_;
  compute::Kernel stretch_;
  compute::Kernel rows_;
  RunningWindow window_;
  std::int64_t channels_;
  std::int64_t capacity_;
  std::int64_t fed_ = 0;
  std::int64_t emitted_ = 0;
  KeptRows past_;
  compute::Buffer centre_;
  compute::Buffer stretches_;
  compute::Buffer before_;  ///< Sums of the last frame put out.
  compute::Buffer after_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> running_on(const op::DevicePlace& place,
                                           const RunningWindow& window, std::int64_t channels) {
  return std::make_unique<RunningOnDevice>(place, window, channels);
}

std::size_t running_device_bytes(const RunningWindow& window, std::int64_t channels,
                                 std::int64_t frames) noexcept {
  return static_cast<std::size_t>(channels) *
         (static_cast<std::size_t>(window.rows_kept() + 1) * sizeof(float) +
          static_cast<std::size_t>(3 * (capacity_for(window, frames) + 2)) * sizeof(double));
}

}  // namespace weir::signal
