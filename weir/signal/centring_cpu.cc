#include "weir/signal/centring.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/centring_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void centre(const Centring& centring, Block<const float> in, Block<float> out) {
  const hn::CappedTag<float, kLanePadding> d;
  const auto padded = static_cast<std::size_t>(padded_channels(in.channels()));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const float* x = in.row(frame);
    float* y = out.row(frame);
    for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
      const auto near = hn::Sub(hn::LoadU(d, x + c), hn::LoadU(d, centring.middle.data() + c));
      const auto distance = hn::Sub(near, hn::LoadU(d, centring.rest.data() + c));
      hn::StoreU(hn::Mul(distance, hn::LoadU(d, centring.factor.data() + c)), d, y + c);
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(centre);

void centre_rows(const Centring& centring, Block<const float> in, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(centre)(centring, in, out);
}

}  // namespace weir::signal
#endif
