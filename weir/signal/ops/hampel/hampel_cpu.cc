#include <limits>

#include "weir/signal/ops/hampel/hampel_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/hampel/hampel_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kHampelLanes>;
using V = hn::Vec<Lanes>;

/// One value of `out` goes from a sorted window and `in` comes, in one pass: see median.
HWY_INLINE void replace(float* sorted, std::int64_t width, V out, V in) {
  const Lanes d;
  V value = hn::LoadU(d, sorted);
  V before = hn::Set(d, -std::numeric_limits<float>::infinity());
  for (std::int64_t i = 0; i + 1 < width; ++i) {
    const V next = hn::LoadU(d, sorted + (i + 1) * kHampelLanes);
    const V left = hn::IfThenElse(hn::Lt(value, out), value, next);
    hn::StoreU(hn::Max(before, hn::Min(left, in)), d, sorted + i * kHampelLanes);
    before = left;
    value = next;
  }
  hn::StoreU(hn::Max(before, in), d, sorted + (width - 1) * kHampelLanes);
}

/// The median of the distances from the middle of a sorted window of 2h + 1: half of them lie in
/// the narrowest of the stretches of h + 1 neighbours that hold the middle, so it is the least of
/// their larger ends. Source: the two-pointer merge of the distances to either side.
HWY_INLINE V mad_of(const float* sorted, std::int64_t half, V middle) {
  const Lanes d;
  V least = hn::Set(d, std::numeric_limits<float>::infinity());
  for (std::int64_t i = 0; i <= half; ++i) {
    const V below = hn::Sub(middle, hn::LoadU(d, sorted + (half - i) * kHampelLanes));
    const V above = hn::Sub(hn::LoadU(d, sorted + (2 * half - i) * kHampelLanes), middle);
    least = hn::Min(least, hn::Max(below, above));
  }
  return least;
}

HWY_INLINE V without_nan(V value) {
  return hn::IfThenZeroElse(hn::IsNaN(value), value);
}

/// Where the window of `here` says that it is an outlier.
HWY_INLINE auto outliers(const float* sorted, std::int64_t half, float factor, V here, V nans) {
  const Lanes d;
  const V middle = hn::LoadU(d, sorted + half * kHampelLanes);
  const V most = hn::Mul(mad_of(sorted, half, middle), hn::Set(d, factor));
  const auto far = hn::Gt(hn::Abs(hn::Sub(here, middle)), most);
  return hn::And(far, hn::Eq(nans, hn::Zero(d)));
}

std::int64_t slide(std::span<const HampelRow> rows, std::int64_t width, float factor,
                   HampelState& state) {
  const Lanes d;
  const V one = hn::Set(d, 1.0F);
  const V infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  std::size_t replaced = 0;
  for (std::int64_t c = 0; c < padded_channels(state.channels);
       c += static_cast<std::int64_t>(hn::Lanes(d))) {
    float* sorted =
        state.sorted.data() + c / kHampelLanes * kHampelLanes * width + c % kHampelLanes;
    const auto real =
        hn::FirstN(d, static_cast<std::size_t>(state.channels > c ? state.channels - c : 0));
    V nans = hn::LoadU(d, state.nans.data() + c);
    for (const HampelRow& row : rows) {
      const V coming = hn::LoadU(d, row.coming + c);
      const V going = row.going != nullptr ? hn::LoadU(d, row.going + c) : infinity;
      replace(sorted, width, without_nan(going), without_nan(coming));
      nans = hn::Add(nans, hn::IfThenElseZero(hn::IsNaN(coming), one));
      nans = hn::Sub(nans, hn::IfThenElseZero(hn::IsNaN(going), one));
      if (row.here == nullptr) {
        continue;
      }
      const V here = hn::LoadU(d, row.here + c);
      V result = here;
      if (row.decides) {
        const auto far = outliers(sorted, width / 2, factor, here, nans);
        result = hn::IfThenElse(far, hn::LoadU(d, sorted + width / 2 * kHampelLanes), here);
        replaced += hn::CountTrue(d, hn::And(far, real));
      }
      hn::StoreU(result, d, row.out + c);
    }
    hn::StoreU(nans, d, state.nans.data() + c);
  }
  return static_cast<std::int64_t>(replaced);
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(slide);

std::int64_t hampel_rows(std::span<const HampelRow> rows, std::int64_t width, float factor,
                         HampelState& state) {
  return HWY_DYNAMIC_DISPATCH(slide)(rows, width, factor, state);
}

}  // namespace weir::signal
#endif
