#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace weir::signal {

/// e^(-2 pi i part / whole).
std::complex<double> turned(std::int64_t part, std::int64_t whole);

/// The stages of transform_stages.inc, forward, of one value a row; a power of two of them.
/// Source: Gentleman & Sande 1966.
void run_stages(std::vector<std::complex<double>>& values);
/// Where the stages leave frequency `k`.
std::int64_t stage_place(std::int64_t k, std::int64_t size) noexcept;
/// What the stages from `size` down by fours turn their rows by: pairs of real and imaginary part.
std::vector<float> stage_twiddles(std::int64_t size);

/// The spectra of real rows: `size` rows become size / 2 + 1 frequencies. Even sizes go as half as
/// many complex rows, of which even rows are the real and odd rows the imaginary parts. Complex
/// rows that are not a power of two go by a convolution with a chirp, whose transforms are.
/// Source: Oppenheim & Schafer, 3rd ed., 9.6 (chirp transform); Cooley, Lewis & Welch 1970 (real
/// rows as half as many complex).
struct RealTransform {
  std::int64_t size = 0;
  std::int64_t rows = 0;    ///< Complex rows: size / 2 where it is even, else size.
  std::int64_t stages = 0;  ///< Rows of the transforms that are made, a power of two.
  bool halved = false;      ///< Whether `size` is even.
  std::vector<float> twiddles = {};
  std::vector<std::int32_t> places = {};   ///< Row of each frequency of the complex rows.
  std::vector<float> untangle = {};        ///< -i/2 e^(-2 pi i k / size), k up to rows / 2.
  std::vector<float> chirp = {};           ///< Where `stages` is not `rows`: e^(-pi i j^2 / rows),
  std::vector<float> chirp_spectrum = {};  ///< … and the convolution, in the stages' order.

  bool chirped() const noexcept { return stages != rows; }
  std::int64_t bins() const noexcept { return size / 2 + 1; }
};

/// Range: 1 <= size < 2^30.
RealTransform plan_real_transform(std::int64_t size);

}  // namespace weir::signal
