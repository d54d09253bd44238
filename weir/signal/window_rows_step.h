#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/signal/spectra_device.h"
#include "weir/signal/spectral_feed.h"

namespace weir::signal {

/// What a window makes of each channel: the columns of its row, `spread` for each channel.
struct WindowColumns {
  std::int64_t spread = 1;
  std::int64_t scratch_floats = 0;
  /// Fills the columns of the piece's channels. `row`: of the group.
  std::function<void(const SpectralPiece& piece, float* scratch, float* row)> fill;
  /// Makes what fills the rows of `room` from a batch on a device.
  using Launch =
      std::function<void(const SpectraOnDevice::Batch& batch, const op::DeviceBlock& room)>;
  std::function<Launch(const op::DevicePlace& place, std::int64_t channels)> on_device;
  std::size_t device_bytes = 0;
};

/// A step that gives a row for each window: an ordinary recording at rate / hop, whose row k stands
/// at the middle of window k.
class WindowRowsStep : public op::Step {
 public:
  /// `channels`: of the output, `columns.spread` for each of `in`.
  WindowRowsStep(SpectralPlan plan, const StreamInfo& in, std::vector<Channel> channels,
                 WindowColumns columns);

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override;
  std::int64_t settle_frames() const noexcept override { return 0; }
  std::int64_t max_output(std::int64_t frames) const noexcept override;
  std::size_t state_bytes(std::int64_t channels) const noexcept override;
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override;
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override;
  void save(const op::State& state, op::ByteWriter& to) const override;
  void load(op::State& state, op::ByteReader& from) const override;
  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override;
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override;
  double tolerance() const noexcept override { return plan_.tolerance(); }
  std::vector<std::string> decisions() const override { return plan_.decisions; }

 private:
  SpectralPlan plan_;
  WindowColumns columns_;
  std::vector<op::Port> ports_;
  std::vector<std::int64_t> frames_;  ///< Of each segment.
};

}  // namespace weir::signal
