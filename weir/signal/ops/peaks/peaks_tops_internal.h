#pragma once

#include "weir/op/device_step.h"
#include "weir/signal/ops/peaks/peaks_internal.h"

namespace weir::signal {

/// What peaks on a device go by, whatever their rules: the levels of the channels, the row before a
/// block, and the tops that have not ended.
class PeakTopsOnDevice {
 public:
  PeakTopsOnDevice(const op::DevicePlace& place, const PeakPlan& plan, const op::StartPoint& at);
  static std::size_t bytes(const PeakRules& rules, std::int64_t channels) noexcept;

  /// Behind what still asks for the tops before `in`.
  void keep(const op::DeviceBlock& in);
  void hand_over(PeakState& to) const;
  void take_over(const PeakState& from);

  /// The number of the next frame.
  std::int64_t fed() const noexcept { return fed_; }
  std::int32_t channels() const noexcept { return channels_; }
  std::int32_t sides() const noexcept { return sides_; }
  std::int32_t first_side() const noexcept { return first_side_; }
  const compute::Buffer& levels() const noexcept { return levels_; }
  const compute::Buffer& previous() const noexcept { return previous_; }
  const compute::Buffer& starts() const noexcept { return starts_; }
  const compute::Buffer& befores() const noexcept { return befores_; }

 private:
  compute::Queue& queue_;
  compute::Kernel keep_;
  std::int32_t channels_;
  std::int32_t sides_;
  std::int32_t first_side_;
  std::int64_t fed_;
  compute::Buffer levels_;
  compute::Buffer previous_;
  compute::Buffer starts_;
  compute::Buffer befores_;
};

}  // namespace weir::signal
