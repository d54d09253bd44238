#include "weir/signal/ops/psd/psd_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/psd/psd_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {
using Lanes = hn::CappedTag<float, kLanePadding>;

HWY_INLINE hn::Vec<Lanes> power_at(const float* value) {
  const Lanes d;
  const auto re = hn::LoadU(d, value);
  const auto im = hn::LoadU(d, value + kLanePadding);
  return hn::MulAdd(im, im, hn::Mul(re, re));
}
}  // namespace

void powers_added(const float* spectrum, std::int64_t bins, float* sums) {
  const Lanes d;
  for (std::int64_t bin = 0; bin < bins; ++bin, spectrum += 2 * kLanePadding) {
    for (std::int64_t lane = 0; lane < kLanePadding;
         lane += static_cast<std::int64_t>(hn::Lanes(d)), sums += hn::Lanes(d)) {
      const auto sum = hn::LoadU(d, sums);
      const auto more = hn::Sub(power_at(spectrum + lane), hn::LoadU(d, sums + kLanePadding));
      const auto next = hn::Add(sum, more);
      hn::StoreU(hn::Sub(hn::Sub(next, sum), more), d, sums + kLanePadding);
      hn::StoreU(next, d, sums);
    }
    sums += kLanePadding;
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(powers_added);

void add_powers(const float* spectrum, std::int64_t bins, float* sums) {
  HWY_DYNAMIC_DISPATCH(powers_added)(spectrum, bins, sums);
}

}  // namespace weir::signal
#endif
