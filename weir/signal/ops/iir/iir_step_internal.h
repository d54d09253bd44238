#pragma once

#include <array>
#include <memory>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/iir/iir.h"
#include "weir/signal/ops/iir/iir_kernel_internal.h"

namespace weir::signal {

/// What planning decided, shared by every kind of step.
struct IirPlan {
  IirRunning running;
  Sections sections;
  op::StepContext context;
  bool float32_state = false;
  double tolerance = 0;                ///< Stated error against the float64 oracle.
  std::int64_t run_in = 0;             ///< See `run_in_frames`.
  std::vector<std::string> decisions;  ///< Lines of the printed plan.
};

/// A cascade's coefficients and the states of one group of channels.
template <class T>
class CascadeState {
 public:
  CascadeState() = default;
  CascadeState(std::size_t sections, std::int64_t channels)
      : lanes_(padded_channels(channels)), bytes_(bytes_for(sections, channels)) {}
  static std::size_t bytes_for(std::size_t sections, std::int64_t channels) noexcept {
    return 2 * sections * static_cast<std::size_t>(padded_channels(channels)) * sizeof(T);
  }
  T* data() const noexcept { return reinterpret_cast<T*>(bytes_.data()); }
  std::span<T> values() const noexcept { return {data(), bytes_.size() / sizeof(T)}; }
  std::int64_t lanes() const noexcept { return lanes_; }
  CascadeRun<T> with(std::span<const T> coefficients) const noexcept {
    return {coefficients, data(), lanes_};
  }
  void rest() noexcept { std::fill(values().begin(), values().end(), T{0}); }
  /// As if every channel had been at `level` for ever.
  void settle(std::span<const DeltaState> steady, const float* level) noexcept {
    for (std::size_t i = 0; i < steady.size(); ++i) {
      T* s1 = data() + 2 * static_cast<std::int64_t>(i) * lanes_;
      for (std::int64_t lane = 0; lane < lanes_; ++lane) {
        s1[lane] = static_cast<T>(steady[i].s1 * level[lane]);
        s1[lanes_ + lane] = static_cast<T>(steady[i].s2 * level[lane]);
      }
    }
  }

 private:
  std::int64_t lanes_ = 0;
  AlignedBytes bytes_;
};

/// Where a device is on the grid of its scan, and the states it needs to go on with the same bits;
/// see iir.cl. A CPU has no grid: what it hands on begins a new one.
template <class T>
struct ScanState {
  std::int64_t into_span = 0;  ///< Frames; the states below mean something where it is not 0.
  CascadeState<T> start;       ///< Where the block began …
  CascadeState<T> sum;         ///< … and what its frames so far leave behind at its end.
  CascadeState<T> span_start;
  CascadeState<T> span_sum;

  static constexpr std::size_t kStates = 4;
  void make_room(std::size_t sections, std::int64_t channels) {
    for (CascadeState<T>* state : {&start, &sum, &span_start, &span_sum}) {
      *state = CascadeState<T>(sections, channels);
    }
  }
  std::array<std::span<T>, kStates> values() const noexcept {
    return {start.values(), sum.values(), span_start.values(), span_sum.values()};
  }
};

template <class T>
void save_scan(const ScanState<T>& scan, op::ByteWriter& to) {
  to.put(scan.into_span);
  if (scan.into_span > 0) {
    for (const auto& values : scan.values()) {
      to.put_all(std::span<const T>(values));
    }
  }
}
/// `like`: a state of the same shape.
template <class T>
void load_scan(ScanState<T>& scan, const CascadeState<T>& like, op::ByteReader& from) {
  scan.into_span = from.get<std::int64_t>();
  if (scan.into_span > 0) {
    const auto rows = like.values().size() / static_cast<std::size_t>(like.lanes());
    scan.make_room(rows / 2, like.lanes());
    for (const auto& values : scan.values()) {
      from.get_all(values);
    }
  }
}

template <class T>
class ForwardState final : public op::State {
 public:
  ForwardState(std::size_t sections, std::int64_t channels, bool at_rest)
      : cascade(sections, channels), settled(at_rest) {}
  CascadeState<T> cascade;
  ScanState<T> scan;
  bool settled;  ///< The first frame has been seen, or rest is the right start.
};

/// The stream a filter hands on: float32, and zero counts stand for zero units.
op::Port output_port(const StreamInfo& in);

/// The causal filter on a device. `steady` as `steady_state` gives it, or empty to start at rest.
template <class T>
std::unique_ptr<op::DeviceStep> forward_on(const op::DevicePlace& place,
                                           std::span<const Section> sections,
                                           std::span<const DeltaState> steady,
                                           const op::StartPoint& at);
/// Values of the state's type that it keeps on the device, for blocks of at most `frames` frames.
std::size_t forward_device_values(std::size_t sections, std::int64_t channels,
                                  std::int64_t frames) noexcept;

std::unique_ptr<op::Step> make_forward_step(IirPlan plan);
std::unique_ptr<op::Step> make_zero_phase_step(IirPlan plan);

}  // namespace weir::signal
