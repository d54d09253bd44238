#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"

namespace weir::signal {

/// Each sample beside those up to `reach` frames before and after it, as far as the segment goes:
/// minus their mean, and divided by their population standard deviation where `divide`. A window
/// that holds a NaN or an infinity gives NaN; one without spread gives 0 where it is divided.
///
/// The sums slide in float64 and are made anew at every multiple of `kRunningGrid` frames of the
/// segment, so that what left the window leaves nothing behind and no bit depends on the cut. Sums
/// of whole stretches of the grid are kept for that.
struct RunningWindow {
  std::int64_t reach = 0;
  bool divide = false;

  std::int64_t rows_kept() const noexcept { return 2 * reach + 2; }
  std::int64_t stretches_kept() const noexcept;
};

inline constexpr std::int64_t kRunningGrid = 256;

/// A window of about `seconds`: an odd number of frames. Errors: `invalid_spec` naming `field`.
RunningWindow running_window(double seconds, const SampleRate& rate, bool divide,
                             std::string_view field);

/// Three sums for each padded channel, one after the other: of the distances from `centre`, of
/// their squares, and how many samples are not finite (they count as 0).
constexpr std::int64_t running_sums(std::int64_t channels) noexcept {
  return 3 * padded_channels(channels);
}

struct RunningState final : op::State {
  RunningState(const RunningWindow& window, std::int64_t channel_count);
  /// Row `row` of the segment, in `in` or kept.
  const float* row(std::int64_t row, Block<const float> in) const noexcept;
  /// The sums of the frames from number * kRunningGrid on, as far as they have been seen.
  double* stretch(std::int64_t number) noexcept;
  const double* stretch(std::int64_t number) const noexcept;
  void add_to_stretch(const float* row, std::int64_t at);
  /// The stretches that are still needed, from the rows kept.
  void rebuild_stretches();

  std::int64_t channels;
  std::int64_t fed = 0;
  std::int64_t emitted = 0;
  Buffer past;                    ///< The last rows: row k stands at k mod rows_kept().
  Buffer centre;                  ///< The segment's first row, 0 where that is not finite.
  std::vector<double> sums;       ///< Of the last frame put out.
  std::vector<double> stretches;  ///< Number k stands at k mod stretches_kept().
};

std::size_t running_state_bytes(const RunningWindow& window, std::int64_t channels) noexcept;
void run_window(const RunningWindow& window, RunningState& state, Block<const float> in,
                op::Emission& out);
/// The end of a segment, as much as there is room for. Returns whether that was all.
bool finish_window(const RunningWindow& window, RunningState& state, op::Emission& out);
void save_window(const RunningState& state, op::ByteWriter& to);
void load_window(RunningState& state, op::ByteReader& from);

/// The same on a device with float64, within 1e-6 of full scale.
std::unique_ptr<op::DeviceStep> running_on(const op::DevicePlace& place,
                                           const RunningWindow& window, std::int64_t channels);
std::size_t running_device_bytes(const RunningWindow& window, std::int64_t channels,
                                 std::int64_t frames) noexcept;

}  // namespace weir::signal
