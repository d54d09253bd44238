#include "weir/signal/bounds.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/bounds_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// By selection, not by minimum and maximum, so that NaN passes.
void clip(const float* least, const float* most, Block<const float> in, Block<float> out) {
  const hn::CappedTag<float, kLanePadding> d;
  const auto padded = static_cast<std::size_t>(padded_channels(in.channels()));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const float* x = in.row(frame);
    float* y = out.row(frame);
    for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
      const auto low = hn::LoadU(d, least + c);
      const auto high = hn::LoadU(d, most + c);
      const auto value = hn::LoadU(d, x + c);
      const auto not_above = hn::IfThenElse(hn::Gt(value, high), high, value);
      hn::StoreU(hn::IfThenElse(hn::Lt(value, low), low, not_above), d, y + c);
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(clip);

void clip_rows(const Bounds& bounds, Block<const float> in, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(clip)(bounds.least.data(), bounds.most.data(), in, out);
}

}  // namespace weir::signal
#endif
