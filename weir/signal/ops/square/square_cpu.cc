#include "weir/signal/ops/square/square_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/square/square_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void square(Block<const float> in, Block<float> out) {
  const hn::CappedTag<float, kLanePadding> d;
  const auto padded = static_cast<std::size_t>(padded_channels(in.channels()));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const float* x = in.row(frame);
    float* y = out.row(frame);
    for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
      const auto value = hn::LoadU(d, x + c);
      hn::StoreU(hn::Mul(value, value), d, y + c);
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(square);

void square_rows(Block<const float> in, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(square)(in, out);
}

}  // namespace weir::signal
#endif
