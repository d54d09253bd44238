#include "weir/signal/ops/remove_saturation/remove_saturation_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/remove_saturation/saturation_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes past the channels hold anything: the levels there are never reached.
bool since(const float* row, const SaturationLevels& levels, std::int32_t reach,
           std::int64_t channels, std::int32_t* frames) {
  const hn::CappedTag<float, kLanePadding> d;
  const hn::RebindToSigned<decltype(d)> whole;
  const auto padded = static_cast<std::size_t>(padded_channels(channels));
  const auto one = hn::Set(whole, 1);
  const auto never = hn::Set(whole, kNotSince);
  auto least = never;
  for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
    auto count = hn::Min(hn::Add(hn::LoadU(whole, frames + c), one), never);
    if (row != nullptr) {
      const auto x = hn::LoadU(d, row + c);
      const auto saturated = hn::Or(hn::Le(x, hn::LoadU(d, levels.least + c)),
                                    hn::Ge(x, hn::LoadU(d, levels.most + c)));
      count = hn::IfThenZeroElse(hn::RebindMask(whole, saturated), count);
    }
    hn::StoreU(count, whole, frames + c);
    least = hn::Min(least, count);
  }
  return !hn::AllTrue(whole, hn::Gt(least, hn::Set(whole, reach)));
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(since);

bool count_since(const float* row, const SaturationLevels& levels, std::int32_t reach,
                 std::int64_t channels, std::int32_t* frames) {
  return HWY_DYNAMIC_DISPATCH(since)(row, levels, reach, channels, frames);
}

}  // namespace weir::signal
#endif
