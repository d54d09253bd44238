#include "weir/signal/ops/log/log_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/log/log_cpu.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kLanePadding>;

/// ln of normal positive numbers: v = 2^e (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), and with
/// s = f / (2 + f), ln(1 + f) = 2 artanh(s) = f - s (f - 2 (s^2/3 + s^4/5 + …)). Products and sums
/// are rounded one by one, so that every target makes the same bits.
template <class V>
HWY_INLINE V natural_log(V v) {
  using C = LogConstants;
  const Floats d;
  const hn::RebindToSigned<Floats> whole;
  const auto root = hn::Set(whole, C::kSqrtHalf);
  const auto from_root = hn::Sub(hn::BitCast(whole, v), root);
  const auto e = hn::ConvertTo(d, hn::ShiftRight<23>(from_root));
  const auto mantissa = hn::Add(hn::And(from_root, hn::Set(whole, 0x7fffff)), root);
  const V f = hn::Sub(hn::BitCast(d, mantissa), hn::Set(d, 1.0F));
  const V s = hn::Div(f, hn::Add(f, hn::Set(d, 2.0F)));
  const V z = hn::Mul(s, s);
  V p = hn::Add(hn::Mul(z, hn::Set(d, C::kNinth)), hn::Set(d, C::kSeventh));
  p = hn::Add(hn::Mul(z, p), hn::Set(d, C::kFifth));
  p = hn::Add(hn::Mul(z, p), hn::Set(d, C::kThird));
  p = hn::Mul(z, p);
  const V part = hn::Sub(f, hn::Mul(s, hn::Sub(f, hn::Add(p, p))));
  const V low = hn::Add(hn::Mul(e, hn::Set(d, C::kLn2Low)), part);
  return hn::Add(hn::Mul(e, hn::Set(d, C::kLn2High)), low);
}

/// Floats from what is read to what is fetched, about as far as a read from memory takes.
constexpr std::size_t kAhead = 1024;

void logs(const float* gain, float floor, float factor, Block<const float> in, Block<float> out) {
  const Floats d;
  const auto padded = static_cast<std::size_t>(padded_channels(in.channels()));
  const auto least = hn::Set(d, floor);
  const auto times = hn::Set(d, factor);
  const auto largest = hn::Set(d, hwy::HighestValue<float>());
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const float* x = in.row(frame);
    float* y = out.row(frame);
    for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
      hwy::Prefetch(x + c + kAhead);
      const auto magnitude = hn::Mul(hn::Abs(hn::LoadU(d, x + c)), hn::LoadU(d, gain + c));
      const auto value = hn::IfThenElse(hn::Lt(magnitude, least), least, magnitude);
      const auto log = hn::Mul(natural_log(value), times);
      // NaN and infinity are their own logarithms.
      hn::StoreU(hn::IfThenElse(hn::Le(value, largest), log, value), d, y + c);
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(logs);

void log_rows(const LogMap& map, Block<const float> in, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(logs)(map.gain.data(), map.floor, map.factor, in, out);
}

}  // namespace weir::signal
#endif
