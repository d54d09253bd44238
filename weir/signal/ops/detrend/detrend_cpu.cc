#include "weir/signal/ops/detrend/detrend_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/detrend/detrend_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void subtract_trend(const Trend& trend, std::int64_t first_channel, std::int64_t first,
                    Block<const float> in, Block<float> out) {
  const hn::CappedTag<double, kLanePadding / 2> d;
  const hn::Rebind<float, decltype(d)> f;
  const auto padded = static_cast<std::size_t>(padded_channels(in.channels()));
  const double* level = trend.level.data() + first_channel;
  const double* slope = trend.slope.data() + first_channel;
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const auto u = hn::Set(d, static_cast<double>(first + frame) - trend.middle);
    const float* x = in.row(frame);
    float* y = out.row(frame);
    for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
      const auto rise = hn::Mul(hn::LoadU(d, slope + c), u);
      const auto here = hn::Add(hn::LoadU(d, level + c), rise);
      const auto value = hn::PromoteTo(d, hn::LoadU(f, x + c));
      hn::StoreU(hn::DemoteTo(f, hn::Sub(value, here)), f, y + c);
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(subtract_trend);

void detrend_rows(const Trend& trend, std::int64_t first_channel, std::int64_t first,
                  Block<const float> in, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(subtract_trend)(trend, first_channel, first, in, out);
}

}  // namespace weir::signal
#endif
