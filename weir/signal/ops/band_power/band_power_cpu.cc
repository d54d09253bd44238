#include "weir/signal/ops/band_power/band_power_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/band_power/band_power_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void powers_weighed(const WeighedBins& of, const float* powers, float* sums) {
  const hn::CappedTag<float, kLanePadding> d;
  for (std::size_t lane = 0; lane < kLanePadding; lane += hn::Lanes(d)) {
    const float* from = powers + of.first * kLanePadding + lane;
    auto sum = hn::Zero(d);
    auto excess = hn::Zero(d);
    for (const float weight : of.weights) {
      const auto more = hn::Sub(hn::Mul(hn::Set(d, weight), hn::LoadU(d, from)), excess);
      const auto next = hn::Add(sum, more);
      excess = hn::Sub(hn::Sub(next, sum), more);
      sum = next;
      from += kLanePadding;
    }
    hn::StoreU(sum, d, sums + lane);
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(powers_weighed);

void weigh_powers(const WeighedBins& of, const float* powers, float* sums) {
  HWY_DYNAMIC_DISPATCH(powers_weighed)(of, powers, sums);
}

}  // namespace weir::signal
#endif
