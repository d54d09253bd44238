#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/peaks/peaks_cpu.cc"
#include <hwy/foreach_target.h>
// The lines above must come first.
#include <hwy/highway.h>

#include "weir/signal/ops/peaks/peaks_internal.h"

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool kBoth>
bool high_lanes(const float* sign, const float* least, Block<const float> in, float* active) {
  const hn::CappedTag<float, kLanePadding / 2> d;
  bool any = false;
  for (std::size_t i = 0; i < kLanePadding; i += hn::Lanes(d)) {
    const auto orientation = hn::LoadU(d, sign + i);
    const auto level = hn::LoadU(d, least + i);
    auto reached = hn::MaskFromVec(hn::Zero(d));
    for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
      const auto value = hn::Mul(hn::LoadU(d, in.row(frame) + i), orientation);
      reached = hn::Or(reached, hn::Ge(value, level));
      if constexpr (kBoth) {
        reached = hn::Or(reached, hn::Ge(hn::Neg(value), level));
      }
    }
    any = any || !hn::AllFalse(d, reached);
    hn::StoreU(hn::IfThenElseZero(reached, hn::Set(d, 1.0F)), d, active + i);
  }
  return any;
}

bool high_either(const float* sign, const float* least, Block<const float> in, float* active) {
  return high_lanes<true>(sign, least, in, active);
}
bool high_one(const float* sign, const float* least, Block<const float> in, float* active) {
  return high_lanes<false>(sign, least, in, active);
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(high_either);
HWY_EXPORT(high_one);

bool find_high_lanes(const float* sign, const float* least, bool both, Block<const float> in,
                     float* active) {
  return both ? HWY_DYNAMIC_DISPATCH(high_either)(sign, least, in, active)
              : HWY_DYNAMIC_DISPATCH(high_one)(sign, least, in, active);
}
}  // namespace weir::signal
#endif
