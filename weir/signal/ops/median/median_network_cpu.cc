#include <limits>
#include <utility>

#include "weir/signal/ops/median/median.h"
#include "weir/signal/ops/median/median_internal.h"
#include "weir/signal/ops/median/median_network.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/median/median_network_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kMedianLanes>;
using V = hn::Vec<Lanes>;

template <std::size_t kHalf, std::size_t... kStep>
HWY_INLINE void sort_values(V* values, std::index_sequence<kStep...>) {
  [[maybe_unused]] constexpr auto kNetwork = sorting_network<kHalf>();
  [[maybe_unused]] const auto exchange = [values](Exchange at) HWY_ATTR {
    const V low = values[at.low];
    values[at.low] = hn::Min(low, values[at.high]);
    values[at.high] = hn::Max(low, values[at.high]);
  };
  (exchange(kNetwork[kStep]), ...);
}

template <std::size_t kHalf>
HWY_INLINE void sort_values(V* values) {
  sort_values<kHalf>(values, std::make_index_sequence<exchanges_to_sort<kHalf>()>());
}

/// Medians of two windows of 2 * kHalf + 1 rows that begin at rows[0] and rows[1]. They share
/// 2 * kHalf rows: of these only the middle two can be a median, and one row more decides.
/// Adding 0 gives zeros one sign: which of two equal zeros a minimum keeps depends on the network's
/// order.
template <std::size_t kHalf>
void medians_of_pair(const float* const* rows, std::int64_t lanes, float* first, float* second) {
  const Lanes d;
  for (std::int64_t c = 0; c < lanes; c += static_cast<std::int64_t>(hn::Lanes(d))) {
    V a[kHalf];
    V b[kHalf];
    for (std::size_t i = 0; i < kHalf; ++i) {
      a[i] = hn::LoadU(d, rows[1 + i] + c);
      b[i] = hn::LoadU(d, rows[1 + kHalf + i] + c);
    }
    sort_values<kHalf>(a);
    sort_values<kHalf>(b);
    V low = hn::Min(a[0], b[kHalf - 1]);
    V high = hn::Max(a[0], b[kHalf - 1]);
    for (std::size_t i = 1; i < kHalf; ++i) {
      low = hn::Max(low, hn::Min(a[i], b[kHalf - 1 - i]));
      high = hn::Min(high, hn::Max(a[i], b[kHalf - 1 - i]));
    }
    const V before = hn::LoadU(d, rows[0] + c);
    const V after = hn::LoadU(d, rows[2 * kHalf + 1] + c);
    const V zero = hn::Zero(d);
    hn::StoreU(hn::Add(hn::Max(low, hn::Min(high, before)), zero), d, first + c);
    hn::StoreU(hn::Add(hn::Max(low, hn::Min(high, after)), zero), d, second + c);
  }
}

bool holds_nan(const float* row, std::int64_t channels) {
  const Lanes d;
  auto nan = hn::MaskFromVec(hn::Zero(d));
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t c = 0; c < channels; c += step) {
    const V value = hn::LoadU(d, row + c);
    auto here = hn::IsNaN(value);
    if (c + step > channels) {
      here = hn::And(here, hn::FirstN(d, static_cast<std::size_t>(channels - c)));
    }
    nan = hn::Or(nan, here);
  }
  return !hn::AllFalse(d, nan);
}

void spread_nan(const float* const* rows, std::int64_t width, std::int64_t lanes, float* out) {
  const Lanes d;
  for (std::int64_t c = 0; c < lanes; c += static_cast<std::int64_t>(hn::Lanes(d))) {
    V value = hn::LoadU(d, out + c);
    for (std::int64_t i = 0; i < width; ++i) {
      const V sample = hn::LoadU(d, rows[i] + c);
      value = hn::IfThenElse(hn::IsNaN(sample), sample, value);
    }
    const auto nan = hn::IsNaN(value);
    hn::StoreU(hn::IfThenElse(nan, hn::Set(d, std::numeric_limits<float>::quiet_NaN()), value), d,
               out + c);
  }
}

using PairOfMedians = void (*)(const float* const*, std::int64_t, float*, float*);

void median_of_one(const float* const* rows, std::int64_t lanes, float* first, float* second) {
  const Lanes d;
  for (std::int64_t c = 0; c < lanes; c += static_cast<std::int64_t>(hn::Lanes(d))) {
    const V before = hn::LoadU(d, rows[0] + c);
    const V after = hn::LoadU(d, rows[1] + c);
    hn::StoreU(hn::Add(before, hn::Zero(d)), d, first + c);
    hn::StoreU(hn::Add(after, hn::Zero(d)), d, second + c);
  }
}

PairOfMedians pair_for(std::int64_t half) {
  constexpr PairOfMedians kPairs[] = {
      &median_of_one,      &medians_of_pair<1>, &medians_of_pair<2>,
      &medians_of_pair<3>, &medians_of_pair<4>, &medians_of_pair<5>,
      &medians_of_pair<6>, &medians_of_pair<7>, &medians_of_pair<8>};
  return kPairs[half];
}

void medians(const MedianRows& rows, MedianSpan span, Block<float> out, std::int64_t& last_nan) {
  const std::int64_t width = rows.past.frames();
  const std::int64_t channels = out.channels();
  const std::int64_t lanes = padded_channels(channels);
  const PairOfMedians pair = pair_for(width / 2);
  const auto look_at = [&](std::int64_t i) {
    if (holds_nan(rows.row(i), channels)) {
      last_nan = i;
    }
  };
  for (std::int64_t i = 0; i < span.first; ++i) {
    look_at(i);
  }
  for (std::int64_t i = span.first; i < span.end; i += 2) {
    const bool alone = i + 1 == span.end;  // then both windows are the same
    const float* window[kWidestMedianNetwork + 1];
    for (std::int64_t k = 0; k < width; ++k) {
      window[k] = rows.row(i - width + 1 + k);
    }
    window[width] = alone ? window[0] : rows.row(i + 1);
    float* first = out.row(i - span.first);
    float* second = alone ? first : out.row(i + 1 - span.first);
    look_at(i);
    if (!alone) {
      look_at(i + 1);
    }
    pair(window, lanes, first, second);
    if (last_nan > i - width) {
      spread_nan(window, width, lanes, first);
      spread_nan(window + (alone ? 0 : 1), width, lanes, second);
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(medians);

void median_by_network(const MedianRows& rows, MedianSpan span, Block<float> out,
                       std::int64_t& last_nan) {
  HWY_DYNAMIC_DISPATCH(medians)(rows, span, out, last_nan);
}

}  // namespace weir::signal
#endif
