#include "weir/signal/ops/rectify/rectify_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/rectify/rectify_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Signs change by xor and negative values by selection, so that NaN passes in both modes.
template <RectifyMode kMode>
void rectify_all(const float* signs, Block<const float> in, Block<float> out) {
  const hn::CappedTag<float, kLanePadding> d;
  const auto padded = static_cast<std::size_t>(padded_channels(in.channels()));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const float* x = in.row(frame);
    float* y = out.row(frame);
    for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
      const auto sign = hn::And(hn::LoadU(d, signs + c), hn::Set(d, -0.0F));
      const auto value = hn::LoadU(d, x + c);
      if constexpr (kMode == RectifyMode::full) {
        hn::StoreU(hn::Xor(hn::Abs(value), sign), d, y + c);
      } else {
        const auto physical = hn::Xor(value, sign);
        const auto negative = hn::Lt(physical, hn::Zero(d));
        hn::StoreU(hn::IfThenZeroElse(negative, value), d, y + c);
      }
    }
  }
}

void rectify(RectifyMode mode, const float* signs, Block<const float> in, Block<float> out) {
  mode == RectifyMode::full ? rectify_all<RectifyMode::full>(signs, in, out)
                            : rectify_all<RectifyMode::half>(signs, in, out);
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(rectify);

void rectify_rows(RectifyMode mode, const float* signs, Block<const float> in, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(rectify)(mode, signs, in, out);
}

}  // namespace weir::signal
#endif
