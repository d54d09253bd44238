#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/crossings/crossings_cpu.cc"
#include <hwy/foreach_target.h>
// The lines above must come first.
#include <hwy/highway.h>

#include "weir/signal/ops/crossings/crossings_internal.h"

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// An onset needs a sample at or beyond the level, so a lane without one and without an open event
/// cannot change.
template <bool kEither>
bool find_lanes(const float* sign, const float* on, Block<const float> in, float* active) {
  const hn::CappedTag<float, kLanePadding / 2> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  bool any = false;
  for (std::int64_t i = 0; i < kLanePadding; i += lanes) {
    const auto s = hn::LoadU(d, sign + i);
    const auto level = hn::LoadU(d, on + i);
    auto reached = hn::MaskFromVec(hn::Zero(d));
    for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
      const auto x = hn::LoadU(d, in.row(frame) + i);
      const auto v = kEither ? hn::Abs(x) : hn::Mul(x, s);
      reached = hn::Or(reached, hn::Ge(v, level));
    }
    any = any || !hn::AllFalse(d, reached);
    hn::StoreU(hn::IfThenElseZero(reached, hn::Set(d, 1.0F)), d, active + i);
  }
  return any;
}

bool find_above(const float* sign, const float* on, Block<const float> in, float* active) {
  return find_lanes<false>(sign, on, in, active);
}
bool find_either(const float* sign, const float* on, Block<const float> in, float* active) {
  return find_lanes<true>(sign, on, in, active);
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(find_above);
HWY_EXPORT(find_either);

bool find_active_lanes(Direction direction, const CrossingLevels& levels, std::int64_t first_lane,
                       Block<const float> in, float* active) {
  const float* sign = levels.sign.data() + first_lane;
  const float* on = levels.on.data() + first_lane;
  return direction == Direction::either ? HWY_DYNAMIC_DISPATCH(find_either)(sign, on, in, active)
                                        : HWY_DYNAMIC_DISPATCH(find_above)(sign, on, in, active);
}
}  // namespace weir::signal
#endif
