#include "weir/compute/convert.h"

#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/compute/convert.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::compute {
namespace HWY_NAMESPACE {  // NOLINT(readability-identifier-naming): one per instruction set
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Shorts = hn::Rebind<std::int16_t, Floats>;

template <class D>
auto load_counts(D d, const std::int16_t* from) {
  const hn::Rebind<std::int16_t, D> d16;
  const hn::Rebind<std::int32_t, D> d32;
  return hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d16, from)));
}

template <class D>
auto load_counts(D d, const float* from) {
  return hn::LoadU(d, from);
}

/// Rows come from memory one after the other; asked for a page ahead they are there in time, which
/// the processor alone does not manage beside the arithmetic.
template <class T>
HWY_INLINE void fetch_ahead(const T* from) {
  hwy::Prefetch(from + 4096 / sizeof(T));
}

/// Stores one vector, or the `left` lanes a packed row still has.
template <class D, class V, class T>
void store_lanes(D d, V v, T* to, std::int64_t left) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if (left >= lanes) {
    hn::StoreU(v, d, to);
    return;
  }
  HWY_ALIGN T whole[hn::MaxLanes(D())];
  hn::Store(v, d, whole);
  std::memcpy(to, whole, static_cast<std::size_t>(left) * sizeof(T));
}

template <class In>
void shift_rows(Block<const In> in, std::span<const float> shift, Block<float> out) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const In* from = in.row(frame);
    float* to = out.row(frame);
    for (std::int64_t c = 0; c < in.channels(); c += lanes) {
      fetch_ahead(from + c);
      hn::StoreU(hn::Add(load_counts(d, from + c), hn::LoadU(d, shift.data() + c)), d, to + c);
    }
  }
}

void widen_rows(Block<const std::int16_t> in, std::span<const float> shift, Block<float> out) {
  shift_rows(in, shift, out);
}

void shift_floats(Block<const float> in, std::span<const float> shift, Block<float> out) {
  shift_rows(in, shift, out);
}

/// Whether every row begins and ends with a whole vector.
bool whole_vectors(Block<float> out) {
  const std::uintptr_t bytes = hn::Lanes(Floats()) * sizeof(float);
  const auto rows = reinterpret_cast<std::uintptr_t>(out.data());
  return (rows | static_cast<std::uintptr_t>(out.stride()) * sizeof(float) |
          static_cast<std::uintptr_t>(out.channels()) * sizeof(float)) %
             bytes ==
         0;
}

/// One vector; past the caches where `kPast`, for what is on its way out: a plain store would first
/// read from memory what it overwrites.
template <bool kPast, class D, class V>
void store_physical(D d, V v, float* to, std::int64_t left) {
  if constexpr (kPast) {
    hn::Stream(v, d, to);
  } else {
    store_lanes(d, v, to, left);
  }
}

template <bool kPast, class In>
void scale_rows(Block<const In> in, const float* gain, const float* offset, Block<float> out) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const In* from = in.row(frame);
    float* to = out.row(frame);
    for (std::int64_t c = 0; c < in.channels(); c += lanes) {
      fetch_ahead(from + c);
      const auto value =
          hn::MulAdd(load_counts(d, from + c), hn::LoadU(d, gain + c), hn::LoadU(d, offset + c));
      store_physical<kPast>(d, value, to + c, in.channels() - c);
    }
  }
}

template <class In>
void physical_rows(Block<const In> in, const float* gain, const float* offset, Block<float> out) {
  if (whole_vectors(out)) {
    scale_rows<true>(in, gain, offset, out);
    hwy::FlushStream();
  } else {
    scale_rows<false>(in, gain, offset, out);
  }
}

void physical_from_floats(Block<const float> in, const float* gain, const float* offset,
                          Block<float> out) {
  physical_rows(in, gain, offset, out);
}

void physical_from_counts(Block<const std::int16_t> in, const float* gain, const float* offset,
                          Block<float> out) {
  physical_rows(in, gain, offset, out);
}

std::int64_t int16_rows(Block<const float> in, const float* scale, Block<std::int16_t> out) {
  const Floats d;
  const Shorts d16;
  const hn::RebindToSigned<Floats> d32;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto lowest = hn::Set(d, -32768.0F);
  const auto highest = hn::Set(d, 32767.0F);
  std::int64_t clipped = 0;
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const float* from = in.row(frame);
    for (std::int64_t c = 0; c < in.channels(); c += lanes) {
      fetch_ahead(from + c);
      const auto rounded = hn::Round(hn::Mul(hn::LoadU(d, from + c), hn::LoadU(d, scale + c)));
      auto held = hn::Min(hn::Max(rounded, lowest), highest);
      // NaN is equal to nothing.
      const auto inside = hn::Eq(held, rounded);
      if (HWY_UNLIKELY(!hn::AllTrue(d, inside))) {
        const auto real = hn::FirstN(d, static_cast<std::size_t>(in.channels() - c));
        clipped += static_cast<std::int64_t>(hn::CountTrue(d, hn::And(real, hn::Not(inside))));
        held = hn::IfThenElseZero(hn::Eq(rounded, rounded), held);
      }
      const auto whole = hn::ConvertTo(d32, held);
      store_lanes(d16, hn::DemoteTo(d16, whole), out.row(frame) + c, in.channels() - c);
    }
  }
  return clipped;
}

Int32Losses int32_rows(Block<const float> in, Block<std::int32_t> out) {
  const Floats d;
  const hn::RebindToSigned<Floats> d32;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto lowest = hn::Set(d, -0x1p31F);
  const auto highest = hn::Set(d, 0x1p31F - 128);  // The largest float32 below 2^31.
  const auto most = hn::Set(d32, INT32_MAX);
  const auto exact = hn::Set(d, 0x1p24F);
  Int32Losses losses;
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const float* from = in.row(frame);
    for (std::int64_t c = 0; c < in.channels(); c += lanes) {
      fetch_ahead(from + c);
      const auto value = hn::LoadU(d, from + c);
      const auto rounded = hn::Round(value);
      // NaN is neither equal to nor smaller than anything.
      const auto kept = hn::And(hn::Eq(rounded, value), hn::Lt(hn::Abs(value), exact));
      auto held = rounded;
      auto over = hn::Gt(lowest, highest);  // Nowhere.
      if (HWY_UNLIKELY(!hn::AllTrue(d, kept))) {
        const auto real = hn::FirstN(d, static_cast<std::size_t>(in.channels() - c));
        held = hn::Min(hn::Max(rounded, lowest), highest);
        over = hn::Gt(rounded, highest);
        // What a float32 makes of the largest int32 is 2^31.
        const auto inside = hn::Or(hn::Eq(held, rounded), hn::Eq(rounded, hn::Set(d, 0x1p31F)));
        held = hn::IfThenElseZero(hn::Eq(rounded, rounded), held);
        losses.clipped += static_cast<std::int64_t>(hn::CountTrue(d, hn::AndNot(inside, real)));
        losses.rounded +=
            static_cast<std::int64_t>(hn::CountTrue(d, hn::And(real, hn::AndNot(kept, inside))));
      }
      const auto whole = hn::IfThenElse(hn::RebindMask(d32, over), most, hn::ConvertTo(d32, held));
      store_lanes(d32, whole, out.row(frame) + c, in.channels() - c);
    }
  }
  return losses;
}

bool all_finite(Block<const float> in) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    auto good = hn::FirstN(d, hn::Lanes(d));
    for (std::int64_t c = 0; c < in.channels(); c += lanes) {
      const auto real = hn::FirstN(d, static_cast<std::size_t>(in.channels() - c));
      const auto value = hn::LoadU(d, in.row(frame) + c);
      good = hn::And(good, hn::Or(hn::IsFinite(value), hn::Not(real)));
    }
    if (!hn::AllTrue(d, good)) {
      return false;
    }
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace weir::compute
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::compute {

HWY_EXPORT(widen_rows);
HWY_EXPORT(shift_floats);
HWY_EXPORT(physical_from_floats);
HWY_EXPORT(physical_from_counts);
HWY_EXPORT(int16_rows);
HWY_EXPORT(int32_rows);
HWY_EXPORT(all_finite);

void widen(Block<const std::int16_t> in, std::span<const float> shift, Block<float> out) noexcept {
  HWY_DYNAMIC_DISPATCH(widen_rows)(in, shift, out);
}

void shift(Block<const float> in, std::span<const float> shift, Block<float> out) noexcept {
  HWY_DYNAMIC_DISPATCH(shift_floats)(in, shift, out);
}

void to_physical(Block<const float> in, std::span<const float> gain, std::span<const float> offset,
                 Block<float> out) noexcept {
  HWY_DYNAMIC_DISPATCH(physical_from_floats)(in, gain.data(), offset.data(), out);
}

void to_physical(Block<const std::int16_t> in, std::span<const float> gain,
                 std::span<const float> offset, Block<float> out) noexcept {
  HWY_DYNAMIC_DISPATCH(physical_from_counts)(in, gain.data(), offset.data(), out);
}

std::int64_t to_int16(Block<const float> in, std::span<const float> scale,
                      Block<std::int16_t> out) noexcept {
  return HWY_DYNAMIC_DISPATCH(int16_rows)(in, scale.data(), out);
}

Int32Losses to_int32(Block<const float> in, Block<std::int32_t> out) noexcept {
  return HWY_DYNAMIC_DISPATCH(int32_rows)(in, out);
}

NonFiniteSamples find_non_finite(Block<const float> in) noexcept {
  NonFiniteSamples found;
  if (HWY_DYNAMIC_DISPATCH(all_finite)(in)) {
    return found;
  }
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    for (std::int64_t c = 0; c < in.channels(); ++c) {
      if (!std::isfinite(in(frame, c))) {
        if (found.count++ == 0) {
          found.first_frame = frame;
          found.first_channel = c;
        }
      }
    }
  }
  return found;
}

}  // namespace weir::compute
#endif  // HWY_ONCE
