#include "weir/signal/ops/teager_kaiser/teager_kaiser_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/teager_kaiser/teager_kaiser_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// b^2 - a c = b (u - v) + u v with u = b - a, v = c - b: of slow signals the two products on the
// left nearly cancel, while those on the right are as small as the result.
void energies(const float* before, const float* here, const float* after, std::int64_t channels,
              float* energy) {
  const hn::CappedTag<float, kLanePadding> d;
  const auto padded = static_cast<std::size_t>(padded_channels(channels));
  for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
    const auto b = hn::LoadU(d, here + c);
    const auto u = hn::Sub(b, hn::LoadU(d, before + c));
    const auto v = hn::Sub(hn::LoadU(d, after + c), b);
    const auto curved = hn::Mul(b, hn::Sub(u, v));
    hn::StoreU(hn::Add(curved, hn::Mul(u, v)), d, energy + c);
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(energies);

void teager_kaiser_row(const float* before, const float* here, const float* after,
                       std::int64_t channels, float* energy) {
  HWY_DYNAMIC_DISPATCH(energies)(before, here, after, channels, energy);
}

}  // namespace weir::signal
#endif
