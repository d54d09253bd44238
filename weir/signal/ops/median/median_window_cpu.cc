#include <algorithm>
#include <limits>

#include "weir/signal/ops/median/median_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/median/median_window_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kMedianLanes>;
using V = hn::Vec<Lanes>;

/// Rows a lane block works through before the next one: its window stays in the first-level cache,
/// the rows in the second.
constexpr std::int64_t kStretch = 64;

/// A NaN and both zeros are kept as +0, so that what comes in is found again when it goes out.
HWY_INLINE V kept(V value) {
  return hn::Add(hn::IfThenZeroElse(hn::IsNaN(value), value), hn::Zero(Lanes()));
}

/// Replaces one value of `out` in a sorted window by `in`, in one pass: with the value taken out
/// the window is d[i] = s[i] below it and s[i + 1] from it on, and inserting `in` gives max(d[i -
/// 1], min(d[i], in)).
HWY_INLINE void exchange(float* sorted, std::int64_t width, V out, V in) {
  const Lanes d;
  V value = hn::LoadU(d, sorted);
  V before = hn::Set(d, -std::numeric_limits<float>::infinity());
  for (std::int64_t i = 0; i + 1 < width; ++i) {
    const V next = hn::LoadU(d, sorted + (i + 1) * kMedianLanes);
    const V left = hn::IfThenElse(hn::Lt(value, out), value, next);
    hn::StoreU(hn::Max(before, hn::Min(left, in)), d, sorted + i * kMedianLanes);
    before = left;
    value = next;
  }
  hn::StoreU(hn::Max(before, in), d, sorted + (width - 1) * kMedianLanes);
}

/// Pointers to the rows that come into the window and go out of it.
struct Stretch {
  const float* in[kStretch];
  const float* out[kStretch];
  std::int64_t first;
  std::int64_t count;
};

void slide(const Stretch& stretch, MedianSpan span, std::int64_t width, Block<float> out,
           std::int64_t c, float* sorted, std::int32_t* nan_count) {
  const Lanes d;
  const hn::RebindToSigned<Lanes> whole;
  auto count = hn::LoadU(whole, nan_count);
  const V nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  for (std::int64_t k = 0; k < stretch.count; ++k) {
    const V coming = hn::LoadU(d, stretch.in[k] + c);
    const V going = hn::LoadU(d, stretch.out[k] + c);
    exchange(sorted, width, kept(going), kept(coming));
    // A mask as an integer is -1.
    count = hn::Sub(count, hn::VecFromMask(whole, hn::RebindMask(whole, hn::IsNaN(coming))));
    count = hn::Add(count, hn::VecFromMask(whole, hn::RebindMask(whole, hn::IsNaN(going))));
    const std::int64_t row = stretch.first + k - span.first;
    if (row >= 0) {
      const auto spoilt = hn::RebindMask(d, hn::Gt(count, hn::Zero(whole)));
      const V median = hn::LoadU(d, sorted + width / 2 * kMedianLanes);
      hn::StoreU(hn::IfThenElse(spoilt, nan, median), d, out.row(row) + c);
    }
  }
  hn::StoreU(count, whole, nan_count);
}

void medians_of_windows(const MedianRows& rows, MedianSpan span, Block<float> out, float* sorted,
                        std::int32_t* nan_count) {
  const std::int64_t width = rows.past.frames();
  const std::int64_t lanes = padded_channels(out.channels());
  for (std::int64_t first = 0; first < span.end; first += kStretch) {
    Stretch stretch;
    stretch.first = first;
    stretch.count = std::min(kStretch, span.end - first);
    for (std::int64_t k = 0; k < stretch.count; ++k) {
      stretch.in[k] = rows.row(first + k);
      stretch.out[k] = rows.row(first + k - width);
    }
    for (std::int64_t c = 0; c < lanes; c += static_cast<std::int64_t>(hn::Lanes(Lanes()))) {
      float* window = sorted + c / kMedianLanes * kMedianLanes * width + c % kMedianLanes;
      slide(stretch, span, width, out, c, window, nan_count + c);
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(medians_of_windows);

void median_by_window(const MedianRows& rows, MedianSpan span, Block<float> out, float* sorted,
                      std::int32_t* nan_count) {
  HWY_DYNAMIC_DISPATCH(medians_of_windows)(rows, span, out, sorted, nan_count);
}

}  // namespace weir::signal
#endif
