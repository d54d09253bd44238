#include "weir/signal/transform_plan.h"

#include <numbers>

namespace weir::signal {
namespace {
using Complex = std::complex<double>;

void run_stages_of(Complex* x, std::int64_t size) {
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
    run_stages_of(x + r * quarter, quarter);
  }
}

void append(const Complex& value, std::vector<float>& to) {
  to.push_back(static_cast<float>(value.real()));
  to.push_back(static_cast<float>(value.imag()));
}

bool is_power_of_two(std::int64_t size) noexcept {
  return (size & (size - 1)) == 0;
}

/// e^(-pi i j^2 / rows), its angle without the rounding of a large j^2.
Complex chirp_at(std::int64_t j, std::int64_t rows) {
  return turned(j * j % (2 * rows), 2 * rows);
}

void plan_chirp(RealTransform& plan) {
  plan.stages = 1;
  while (plan.stages < 2 * plan.rows - 1) {
    plan.stages *= 2;
  }
  std::vector<Complex> convolved(static_cast<std::size_t>(plan.stages));
  for (std::int64_t j = 0; j < plan.rows; ++j) {
    const Complex chirp = chirp_at(j, plan.rows);
    append(chirp, plan.chirp);
    convolved[static_cast<std::size_t>(j)] = std::conj(chirp);
    convolved[static_cast<std::size_t>((plan.stages - j) % plan.stages)] = std::conj(chirp);
  }
  run_stages(convolved);
  for (const Complex& value : convolved) {
    append(value / static_cast<double>(plan.stages), plan.chirp_spectrum);
  }
}
}  // namespace

Complex turned(std::int64_t part, std::int64_t whole) {
  return std::polar(1.0,
                    -2 * std::numbers::pi * static_cast<double>(part) / static_cast<double>(whole));
}

void run_stages(std::vector<Complex>& values) {
  run_stages_of(values.data(), std::ssize(values));
}

std::int64_t stage_place(std::int64_t k, std::int64_t size) noexcept {
  std::int64_t place = 0;
  while (size >= 4) {
    size /= 4;
    place += k % 4 * size;
    k /= 4;
  }
  return place + k;
}

std::vector<float> stage_twiddles(std::int64_t size) {
  std::vector<float> twiddles;
  for (std::int64_t whole = size; whole > 4; whole /= 4) {
    for (std::int64_t j = 0; j < whole / 4; ++j) {
      for (std::int64_t times = 1; times <= 3; ++times) {
        append(turned(times * j, whole), twiddles);
      }
    }
  }
  return twiddles;
}

RealTransform plan_real_transform(std::int64_t size) {
  RealTransform plan{.size = size, .halved = size % 2 == 0};
  plan.rows = plan.halved ? size / 2 : size;
  plan.stages = plan.rows;
  if (!is_power_of_two(plan.rows)) {
    plan_chirp(plan);
  }
  plan.twiddles = stage_twiddles(plan.stages);
  for (std::int64_t k = 0; k < plan.rows; ++k) {
    plan.places.push_back(
        static_cast<std::int32_t>(plan.chirped() ? k : stage_place(k, plan.rows)));
  }
  for (std::int64_t k = 0; plan.halved && k <= plan.rows / 2; ++k) {
    append(Complex(0, -0.5) * turned(k, size), plan.untangle);
  }
  return plan;
}

}  // namespace weir::signal
