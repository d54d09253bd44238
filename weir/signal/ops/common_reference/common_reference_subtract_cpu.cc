#include "weir/signal/ops/common_reference/common_reference_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/common_reference/common_reference_subtract_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kLanePadding>;

HWY_INLINE hn::Vec<Lanes> load_counts(Lanes d, const float* from) {
  return hn::LoadU(d, from);
}
HWY_INLINE hn::Vec<Lanes> load_counts(Lanes d, const std::int16_t* from) {
  const hn::Rebind<std::int16_t, Lanes> narrow;
  const hn::Rebind<std::int32_t, Lanes> wide;
  return hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(narrow, from)));
}

// The mask, not a factor of 0, keeps a NaN or infinite reference out of the channels that take no
// part.
template <bool kWeighted, bool kMany, class T>
void subtract_rows(const ReferencePlan& plan, Block<const T> in, Block<float> out,
                   const float* references) {
  const Lanes d;
  const hn::Rebind<std::int32_t, Lanes> whole;
  const auto padded = static_cast<std::size_t>(padded_channels(in.channels()));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const T* x = in.row(frame);
    float* y = out.row(frame);
    const auto common = hn::Set(d, references[frame]);
    for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
      auto value = load_counts(d, x + c);
      if constexpr (std::is_same_v<T, std::int16_t>) {
        value = hn::Add(value, hn::LoadU(d, plan.fold.data() + c));
      }
      auto reference = kMany ? hn::LoadU(d, y + c) : common;
      reference = hn::And(reference, hn::BitCast(d, hn::LoadU(whole, plan.target.data() + c)));
      if constexpr (kWeighted) {
        reference = hn::Mul(reference, hn::LoadU(d, plan.per_weight.data() + c));
      }
      hn::StoreU(hn::Sub(value, reference), d, y + c);
    }
  }
}

void subtract_counts(const ReferencePlan& plan, Block<const std::int16_t> in, Block<float> out,
                     const float* references) {
  plan.sets.size() > 1 ? subtract_rows<false, true>(plan, in, out, references)
                       : subtract_rows<false, false>(plan, in, out, references);
}

void subtract_floats(const ReferencePlan& plan, Block<const float> in, Block<float> out,
                     const float* references) {
  if (plan.weighted) {
    plan.sets.size() > 1 ? subtract_rows<true, true>(plan, in, out, references)
                         : subtract_rows<true, false>(plan, in, out, references);
  } else {
    plan.sets.size() > 1 ? subtract_rows<false, true>(plan, in, out, references)
                         : subtract_rows<false, false>(plan, in, out, references);
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(subtract_counts);
HWY_EXPORT(subtract_floats);

void subtract_references(const ReferencePlan& plan, Block<const std::int16_t> in, Block<float> out,
                         const float* references) {
  HWY_DYNAMIC_DISPATCH(subtract_counts)(plan, in, out, references);
}

void subtract_references(const ReferencePlan& plan, Block<const float> in, Block<float> out,
                         const float* references) {
  HWY_DYNAMIC_DISPATCH(subtract_floats)(plan, in, out, references);
}

}  // namespace weir::signal
#endif
