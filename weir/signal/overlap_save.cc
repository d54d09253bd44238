#include "weir/signal/overlap_save.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace weir::signal {
namespace {
using Complex = std::complex<double>;

Complex turned(std::int64_t part, std::int64_t whole) {
  return std::polar(1.0,
                    -2 * std::numbers::pi * static_cast<double>(part) / static_cast<double>(whole));
}

/// The stages of overlap_save_cpu.cc, forward, of one value a row.
void transform(Complex* x, std::int64_t size) {
  if (size == 2) {
    const Complex sum = x[0] + x[1];
    x[1] = x[0] - x[1];
    x[0] = sum;
  }
  const std::int64_t quarter = size / 4;
  for (std::int64_t j = 0; j < quarter; ++j) {
    const Complex even = x[j] + x[j + 2 * quarter];
    const Complex odd = x[j] - x[j + 2 * quarter];
    const Complex sum = x[j + quarter] + x[j + 3 * quarter];
    const Complex apart = (x[j + quarter] - x[j + 3 * quarter]) * Complex(0, -1);
    x[j] = even + sum;
    x[j + quarter] = (odd + apart) * turned(j, size);
    x[j + 2 * quarter] = (even - sum) * turned(2 * j, size);
    x[j + 3 * quarter] = (odd - apart) * turned(3 * j, size);
  }
  for (std::int64_t r = 0; r < 4 && quarter > 1; ++r) {
    transform(x + r * quarter, quarter);
  }
}

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
  for (std::int64_t whole = size; whole > 4; whole /= 4) {
    for (std::int64_t j = 0; j < whole / 4; ++j) {
      for (std::int64_t times = 1; times <= 3; ++times) {
        const Complex factor = turned(times * j, whole);
        plan.twiddles.push_back(static_cast<float>(factor.real()));
        plan.twiddles.push_back(static_cast<float>(factor.imag()));
      }
    }
  }
  std::vector<Complex> values(taps.begin(), taps.end());
  values.resize(static_cast<std::size_t>(size));
  transform(values.data(), size);
  for (const Complex& value : values) {
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
