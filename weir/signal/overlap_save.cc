#include "weir/signal/overlap_save.h"

#include <cmath>
#include <complex>

#include "weir/signal/transform_plan.h"

namespace weir::signal {
namespace {
/// Time for each output, up to a factor: stages of two over every row, four more for reading,
/// writing and the spectrum. Transforms and the rows kept for them leave the caches one after the
/// other; as measured from 512 to 65,536 rows, a stage's time grows about as the root of the size.
double cost(std::int64_t size, std::int64_t taps) noexcept {
  const auto rows = static_cast<double>(size);
  return std::sqrt(rows) * rows * (4 + std::log2(rows)) / static_cast<double>(size - taps + 1);
}
}  // namespace

std::int64_t overlap_save_size(std::int64_t taps) noexcept {
  std::int64_t size = 16;
  while (size < taps + 1) {
    size *= 2;
  }
  while (cost(2 * size, taps) < cost(size, taps)) {
    size *= 2;
  }
  return size;
}

OverlapSave plan_overlap_save(std::span<const float> taps, std::int64_t size) {
  OverlapSave plan{.size = size, .block = size - static_cast<std::int64_t>(taps.size()) + 1};
  plan.twiddles = stage_twiddles(size);
  std::vector<std::complex<double>> values(taps.begin(), taps.end());
  values.resize(static_cast<std::size_t>(size));
  run_stages(values);
  for (const auto& value : values) {
    // Conjugated: taps and rows meet in the same order. Forward and back multiply by `size`.
    plan.spectrum.push_back(static_cast<float>(value.real() / static_cast<double>(size)));
    plan.spectrum.push_back(static_cast<float>(-value.imag() / static_cast<double>(size)));
  }
  return plan;
}

std::int64_t overlap_save_floats(const OverlapSave& plan) noexcept {
  return plan.size * kLanePadding;
}

}  // namespace weir::signal
