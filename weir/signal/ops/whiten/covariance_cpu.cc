#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/whiten/covariance_cpu.cc"
#include <hwy/foreach_target.h>
// The lines above must come first.
#include <hwy/highway.h>

#include "weir/signal/ops/whiten/covariance_internal.h"

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<double, kCovariancePanel / 2>;

/// Rows of sums that stand in registers, two vectors each.
constexpr int kTogether = HWY_TARGET <= HWY_AVX3 ? 8 : 4;

/// A few rows of one panel times two vectors of another. The sums go on where they stood.
HWY_INLINE void products(const double* left, const double* right, std::int64_t frames, double* sums,
                         std::int64_t stride) {
  const Lanes d;
  hn::Vec<Lanes> a[kTogether];
  hn::Vec<Lanes> b[kTogether];
  for (int r = 0; r < kTogether; ++r) {
    a[r] = hn::LoadU(d, sums + r * stride);
    b[r] = hn::LoadU(d, sums + r * stride + hn::Lanes(d));
  }
  for (std::int64_t f = 0; f < frames; ++f, left += kCovariancePanel, right += kCovariancePanel) {
    const auto x = hn::LoadU(d, right);
    const auto y = hn::LoadU(d, right + hn::Lanes(d));
    for (int r = 0; r < kTogether; ++r) {
      const auto factor = hn::Set(d, left[r]);
      a[r] = hn::MulAdd(factor, x, a[r]);
      b[r] = hn::MulAdd(factor, y, b[r]);
    }
  }
  for (int r = 0; r < kTogether; ++r) {
    hn::StoreU(a[r], d, sums + r * stride);
    hn::StoreU(b[r], d, sums + r * stride + hn::Lanes(d));
  }
}

void all_products(const double* rows, std::int64_t panels, std::int64_t frames, double* sums) {
  const auto step = 2 * static_cast<std::int64_t>(hn::Lanes(Lanes()));
  const std::int64_t panel = kCovarianceFrames * kCovariancePanel;
  const std::int64_t stride = panels * kCovariancePanel;
  for (std::int64_t i = 0; i < panels; ++i) {
    for (std::int64_t j = i; j < panels; ++j) {
      for (std::int64_t r = 0; r < kCovariancePanel; r += kTogether) {
        for (std::int64_t lane = 0; lane < kCovariancePanel; lane += step) {
          products(rows + i * panel + r, rows + j * panel + lane, frames,
                   sums + (i * kCovariancePanel + r) * stride + j * kCovariancePanel + lane,
                   stride);
        }
      }
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(all_products);

void add_products(const double* rows, std::int64_t panels, std::int64_t frames, double* sums) {
  HWY_DYNAMIC_DISPATCH(all_products)(rows, panels, frames, sums);
}
}  // namespace weir::signal
#endif
