#include "weir/signal/spectra_device.h"

#include <algorithm>

#include "weir/signal/spectra_cl.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kItems = 128;
/// Complex rows times channels that local memory has room for, on any device.
constexpr std::int64_t kLocalRows = 2048;
constexpr std::int64_t kMostPackLog = 3;  // 32 bytes of a row are read at once.
constexpr std::size_t kEmptyTables = 8;
constexpr std::int64_t kBatchBytes = std::int64_t{64} << 20;

std::int32_t pack_log_for(const SpectralPlan& plan, std::int64_t channels) noexcept {
  std::int32_t log = 0;
  while (log < kMostPackLog && std::int64_t{1} << log < channels &&
         plan.transform.stages << (log + 1) <= kLocalRows) {
    ++log;
  }
  return log;
}

std::int64_t spectrum_bytes(const SpectralPlan& plan, std::int64_t channels) noexcept {
  return 2 * plan.bins() * channels * static_cast<std::int64_t>(sizeof(float));
}

std::int64_t windows_at_once(const SpectralPlan& plan, std::int64_t channels,
                             std::int64_t frames) noexcept {
  const std::int64_t most = frames / plan.hop + 1;
  return std::min(most, std::max<std::int64_t>(1, kBatchBytes / spectrum_bytes(plan, channels)));
}

/// Groups at once that need memory of their own for a transform.
std::int64_t groups_for(const SpectralPlan& plan) noexcept {
  const std::int64_t stages = plan.transform.stages;
  return stages <= kLocalRows ? 0
                              : std::clamp<std::int64_t>((std::int64_t{1} << 23) / stages, 1, 512);
}

std::size_t work_floats(const SpectralPlan& plan) noexcept {
  return static_cast<std::size_t>(groups_for(plan) * 2 * plan.transform.stages);
}

/// Kinds of pass, as spectra.cl numbers them, each with its size.
enum Pass : std::int32_t { by_chirp, forward, pairs, by_spectrum, backward };

std::vector<std::int32_t> passes_of(const RealTransform& transform) {
  const auto stages = static_cast<std::int32_t>(transform.stages);
  const auto rows = static_cast<std::int32_t>(transform.rows);
  std::vector<std::int32_t> there;
  std::int32_t whole = stages;
  for (; whole >= 4; whole /= 4) {
    there.insert(there.end(), {forward, whole});
  }
  if (whole == 2) {
    there.insert(there.end(), {pairs, 2});
  }
  if (!transform.chirped()) {
    return there;
  }
  std::vector<std::int32_t> passes{by_chirp, rows};
  passes.insert(passes.end(), there.begin(), there.end());
  passes.insert(passes.end(), {by_spectrum, stages});
  for (auto at = std::ssize(there) - 2; at >= 0; at -= 2) {
    const auto pass = static_cast<std::size_t>(at);
    passes.insert(passes.end(), {there[pass] == forward ? backward : pairs, there[pass + 1]});
  }
  passes.insert(passes.end(), {by_chirp, rows});
  return passes;
}

/// One program for them all.
compute::Kernel entry(compute::Device& device, const char* name, bool in_work) {
  return device.kernel(kernels::kSpectra, name, {{"IN_WORK", in_work ? 1 : 0}});
}

/// No device likes a buffer of nothing.
template <class T>
compute::Buffer table(const op::DevicePlace& place, const std::vector<T>& values) {
  return place.device.allocate(place.queue, values.empty() ? std::vector<T>(1) : values);
}
}  // namespace

SpectraOnDevice::SpectraOnDevice(const op::DevicePlace& place, const SpectralPlan& plan,
                                 std::int64_t frames, std::int64_t channels)
    : queue_(place.queue),
      plan_(plan),
      length_(plan.length_in(frames)),
      channels_(channels),
      pack_log_(pack_log_for(plan, channels)),
      at_once_(windows_at_once(plan, channels, place.max_frames)),
      groups_(groups_for(plan)),
      on_host_(place.device.target().kind == compute::TargetKind::host),
      spectra_kernel_(entry(place.device, "spectra", groups_ > 0)),
      add_kernel_(entry(place.device, "spectra_add_powers", groups_ > 0)),
      past_(place, plan.nperseg, channels),
      twiddles_(table(place, plan.transform.twiddles)),
      chirp_(table(place, plan.transform.chirp)),
      chirp_spectrum_(table(place, plan.transform.chirp_spectrum)),
      places_(table(place, plan.transform.places)),
      untangle_(table(place, plan.transform.untangle)),
      passes_(table(place, passes_of(plan.transform))),
      pass_count_(static_cast<std::int32_t>(passes_of(plan.transform).size() / 2)),
      spectra_(place.device.allocate(
          static_cast<std::size_t>(at_once_ * spectrum_bytes(plan, channels)))),
      work_(place.device.allocate(std::max<std::size_t>(1, work_floats(plan)) * sizeof(float))) {
  if (length_ > 0) {
    window_ = place.device.allocate(queue_, plan.windows.at(length_));
  }
}

std::size_t SpectraOnDevice::bytes(const SpectralPlan& plan, std::int64_t channels,
                                   std::int64_t frames) {
  const RealTransform& transform = plan.transform;
  const std::size_t floats =
      static_cast<std::size_t>(plan.nperseg * (channels + 1)) + transform.twiddles.size() +
      transform.chirp.size() + transform.chirp_spectrum.size() + transform.places.size() +
      transform.untangle.size() + passes_of(transform).size() + work_floats(plan) + kEmptyTables;
  return floats * sizeof(float) + static_cast<std::size_t>(windows_at_once(plan, channels, frames) *
                                                           spectrum_bytes(plan, channels));
}

std::int64_t SpectraOnDevice::windows() const noexcept {
  return length_ == 0 || seen_ < length_ ? 0 : 1 + (seen_ - length_) / plan_.hop;
}

std::int64_t SpectraOnDevice::push(const op::DeviceBlock& in,
                                   const std::function<void(const Batch&)>& use) {
  const std::int64_t before = windows();
  seen_ += in.frames;
  const std::int64_t ready = windows() - before;
  for (std::int64_t first = 0; first < ready; first += at_once_) {
    const std::int64_t count = std::min(at_once_, ready - first);
    transform(in, before + first, count);
    use({spectra_, first, count});
  }
  past_.keep(in, seen_ - in.frames);
  return ready;
}

void SpectraOnDevice::transform(const op::DeviceBlock& in, std::int64_t first,
                                std::int64_t windows) {
  const auto stages = static_cast<std::int32_t>(plan_.transform.stages);
  const std::int64_t packs = (channels_ + (std::int64_t{1} << pack_log_) - 1) >> pack_log_;
  const std::int64_t tasks = windows * packs;
  // The host knows no constants, and has local memory of any size.
  const bool in_work = groups_ > 0 && !on_host_;
  const std::int64_t local = 2 * kItems + (in_work ? 0 : (std::int64_t{2} * stages) << pack_log_);
  const std::int64_t at_once = groups_ > 0 ? groups_ : tasks;
  for (std::int64_t task = 0; task < tasks; task += at_once) {
    queue_.launch(spectra_kernel_,
                  {.items = {std::min(at_once, tasks - task) * kItems, 1},
                   .group = {kItems, 1},
                   .local_bytes = static_cast<std::size_t>(local) * sizeof(float)},
                  {in.buffer,
                   in.first,
                   in.stride,
                   past_.buffer(),
                   window_,
                   twiddles_,
                   chirp_,
                   chirp_spectrum_,
                   places_,
                   untangle_,
                   passes_,
                   spectra_,
                   work_,
                   seen_ - in.frames,
                   first * plan_.hop,
                   task,
                   static_cast<std::int32_t>(plan_.hop),
                   static_cast<std::int32_t>(plan_.nperseg),
                   static_cast<std::int32_t>(length_),
                   static_cast<std::int32_t>(plan_.transform.size),
                   stages,
                   static_cast<std::int32_t>(channels_),
                   pack_log_,
                   static_cast<std::int32_t>(plan_.detrend),
                   pass_count_,
                   std::int32_t{groups_ > 0 ? 1 : 0}});
  }
}

void SpectraOnDevice::add_powers(const Batch& batch, const compute::Buffer& sums) {
  queue_.launch(
      add_kernel_, {.items = {channels_, plan_.bins()}},
      {batch.spectra, sums, static_cast<std::int32_t>(channels_), plan_.bins(), batch.windows});
}

void SpectraOnDevice::hand_over(SpectralFeed& to) const {
  past_.hand_over(to.ring());
  to.go_on_from(seen_);
}

void SpectraOnDevice::take_over(const SpectralFeed& from) {
  past_.take_over(from.ring());
  seen_ = from.seen();
}

}  // namespace weir::signal
