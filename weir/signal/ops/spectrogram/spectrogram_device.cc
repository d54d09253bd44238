#include "weir/signal/ops/spectrogram/spectrogram_cl.h"
#include "weir/signal/ops/spectrogram/spectrogram_internal.h"

namespace weir::signal {

WindowColumns::Launch spectrogram_on(const op::DevicePlace& place, const KeptBins& kept,
                                     std::int64_t channels) {
  constexpr std::int64_t kItems = 256;
  constexpr std::size_t kTile = std::size_t{32} * 33 * sizeof(float);
  const auto kernel = place.device.kernel(kernels::kSpectrogram, "spectrogram_rows");
  return [kernel, kept, channels, &queue = place.queue](const SpectraOnDevice::Batch& batch,
                                                        const op::DeviceBlock& room) {
    const std::int64_t tiles = batch.windows * ((kept.count + 31) / 32) * ((channels + 31) / 32);
    queue.launch(
        kernel, {.items = {tiles * kItems, 1}, .group = {kItems, 1}, .local_bytes = kTile},
        {batch.spectra, room.buffer, room.first, room.stride, static_cast<std::int32_t>(channels),
         static_cast<std::int32_t>(kept.size / 2 + 1), static_cast<std::int32_t>(kept.first),
         static_cast<std::int32_t>(kept.count), static_cast<std::int32_t>(kept.size)});
  };
}

}  // namespace weir::signal
