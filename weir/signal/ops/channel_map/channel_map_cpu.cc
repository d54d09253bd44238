#include "weir/signal/ops/channel_map/channel_map_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/channel_map/channel_map_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As integers: whatever the bits are, they stay.
void pick_floats(std::span<const std::int32_t> list, Block<const float> in, Block<float> out) {
  const hn::CappedTag<std::int32_t, kLanePadding> d;
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const auto* x = reinterpret_cast<const std::int32_t*>(in.row(frame));
    auto* y = reinterpret_cast<std::int32_t*>(out.row(frame));
    for (std::size_t j = 0; j < list.size(); j += hn::Lanes(d)) {
      hn::StoreU(hn::GatherIndex(d, x, hn::LoadU(d, list.data() + j)), d, y + j);
    }
  }
}

// There are no gathers of 16 bits.
void pick_counts(std::span<const std::int32_t> list, Block<const std::int16_t> in,
                 Block<std::int16_t> out) {
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const std::int16_t* x = in.row(frame);
    std::int16_t* y = out.row(frame);
    for (std::size_t j = 0; j < list.size(); ++j) {
      y[j] = x[list[j]];
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(pick_floats);
HWY_EXPORT(pick_counts);

void pick_columns(std::span<const std::int32_t> list, Block<const float> in, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(pick_floats)(list, in, out);
}

void pick_columns(std::span<const std::int32_t> list, Block<const std::int16_t> in,
                  Block<std::int16_t> out) {
  HWY_DYNAMIC_DISPATCH(pick_counts)(list, in, out);
}
}  // namespace weir::signal
#endif
