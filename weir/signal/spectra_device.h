#pragma once

#include <cstdint>
#include <functional>

#include "weir/op/device_step.h"
#include "weir/signal/kept_rows.h"
#include "weir/signal/spectral_feed.h"

namespace weir::signal {

/// `SpectralFeed` on a device: the spectra of every window that a block completes, some windows at
/// a time.
class SpectraOnDevice {
 public:
  SpectraOnDevice(const op::DevicePlace& place, const SpectralPlan& plan, std::int64_t frames,
                  std::int64_t channels);
  /// Bytes for blocks of at most so many frames.
  static std::size_t bytes(const SpectralPlan& plan, std::int64_t channels, std::int64_t frames);

  /// Spectra of windows of the block, from the first of them on.
  /// Shape:  `spectra` is [windows, bins, 2, channels].
  struct Batch {
    const compute::Buffer& spectra;
    std::int64_t first = 0;
    std::int64_t windows = 0;
  };
  /// Calls `use`, which launches what takes the spectra. Returns how many windows there were.
  std::int64_t push(const op::DeviceBlock& in, const std::function<void(const Batch&)>& use);

  /// Adds the powers of a batch to `sums`, [bins, 2, channels]: a sum, and what it has too much.
  void add_powers(const Batch& batch, const compute::Buffer& sums);

  void hand_over(SpectralFeed& to) const;
  void take_over(const SpectralFeed& from);
  std::int64_t windows() const noexcept;

 private:
  void transform(const op::DeviceBlock& in, std::int64_t first, std::int64_t windows);

  compute::Queue& queue_;
  const SpectralPlan& plan_;
  std::int64_t length_;
  std::int64_t channels_;
  std::int32_t pack_log_;
  std::int64_t at_once_;  ///< Windows of a batch.
  std::int64_t groups_;   ///< That share `work_`; 0: local memory is large enough.
  bool on_host_;
  compute::Kernel spectra_kernel_;
  compute::Kernel add_kernel_;
  KeptRows past_;
  compute::Buffer window_;
  compute::Buffer twiddles_;
  compute::Buffer chirp_;
  compute::Buffer chirp_spectrum_;
  compute::Buffer places_;
  compute::Buffer untangle_;
  compute::Buffer passes_;
  std::int32_t pass_count_;
  compute::Buffer spectra_;
  compute::Buffer work_;
  std::int64_t seen_ = 0;
};

}  // namespace weir::signal
