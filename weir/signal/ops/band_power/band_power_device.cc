#include "weir/signal/ops/band_power/band_power_cl.h"
#include "weir/signal/ops/band_power/band_power_internal.h"

namespace weir::signal {
namespace {
/// Places and weights as the kernel has them.
struct BandTables {
  explicit BandTables(const WeighedBands& from) {
    for (const auto& band : from.bands) {
      append(band);
    }
    append(from.total);
  }
  void append(const WeighedBins& band) {
    places.push_back(static_cast<std::int32_t>(band.first));
    places.push_back(static_cast<std::int32_t>(band.weights.size()));
    places.push_back(static_cast<std::int32_t>(weights.size()));
    weights.insert(weights.end(), band.weights.begin(), band.weights.end());
  }
  std::vector<std::int32_t> places;
  std::vector<float> weights;
};
}  // namespace

WindowColumns::Launch band_power_on(const op::DevicePlace& place, const WeighedBands& bands,
                                    std::int64_t channels) {
  const BandTables tables(bands);
  const auto kernel = place.device.kernel(kernels::kBandPower, "band_power_rows");
  const auto places = place.device.allocate(place.queue, tables.places);
  const auto weights = place.device.allocate(place.queue, tables.weights);
  return [kernel, places, weights, channels, bins = bands.bins,
          count = static_cast<std::int32_t>(bands.bands.size()),
          &queue = place.queue](const SpectraOnDevice::Batch& batch, const op::DeviceBlock& room) {
    queue.launch(kernel, compute::over_rows(channels, batch.windows),
                 {batch.spectra, room.buffer, room.first, room.stride, places, weights,
                  static_cast<std::int32_t>(channels), static_cast<std::int32_t>(bins), count,
                  batch.windows});
  };
}

std::size_t band_power_table_bytes(const WeighedBands& bands) {
  const BandTables tables(bands);
  return (tables.places.size() + tables.weights.size()) * sizeof(float);
}

}  // namespace weir::signal
