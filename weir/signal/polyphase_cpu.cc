#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/polyphase_cpu.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
// The lines above must come first.
#include <hwy/highway.h>

#include <algorithm>

#include "weir/signal/polyphase.h"

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, kLanePadding / 2>;
using Vector = hn::Vec<Lanes>;

/// Outputs summed side by side: their sums of two vectors of channels, one row and one tap fill
/// fifteen of the sixteen registers of AVX2, and twelve chains hide the latency of a multiply-add.
constexpr int kTogether = 6;

/// Where the sums of neighbouring outputs stand: each its first row and first tap.
template <int kOutputs>
struct Places {
  const float* row[kOutputs];
  const float* tap[kOutputs];
  std::int64_t count[kOutputs];
};

/// The sums of `kOutputs` outputs, of two vectors of channels each. Every output adds its taps in
/// order, whichever function adds them and however many outputs stand together.
template <int kOutputs>
struct Sums {
  Vector a[kOutputs];
  Vector b[kOutputs];

  HWY_INLINE void clear() {
    for (int o = 0; o < kOutputs; ++o) {
      a[o] = b[o] = hn::Zero(Lanes());
    }
  }
  HWY_INLINE void add(const Sums& other) {
    for (int o = 0; o < kOutputs; ++o) {
      a[o] = hn::Add(a[o], other.a[o]);
      b[o] = hn::Add(b[o], other.b[o]);
    }
  }
  HWY_INLINE void store(float* out, std::int64_t stride) const {
    const Lanes d;
    for (int o = 0; o < kOutputs; ++o, out += stride) {
      hn::StoreU(a[o], d, out);
      hn::StoreU(b[o], d, out + hn::Lanes(d));
    }
  }

  /// One row into the outputs kFirst to kLast - 1. `tap` is what it meets in output 0; in each next
  /// output it meets the tap `apart` before.
  template <int kFirst, int kLast>
  HWY_INLINE void add_row(const float* row, const float* tap, std::int64_t apart) {
    const Lanes d;
    const auto x = hn::LoadU(d, row);
    const auto y = hn::LoadU(d, row + hn::Lanes(d));
    for (int o = kFirst; o < kLast; ++o) {
      const auto weight = hn::Set(d, tap[-o * apart]);
      a[o] = hn::MulAdd(x, weight, a[o]);
      b[o] = hn::MulAdd(y, weight, b[o]);
    }
  }
  template <int kFirst, int kLast>
  HWY_INLINE void add_rows(const float*& row, std::int64_t stride, const float*& tap,
                           std::int64_t apart, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i, row += stride, ++tap) {
      add_row<kFirst, kLast>(row, tap, apart);
    }
  }
  /// The rows before all outputs have begun.
  template <int kBegun = 1>
  HWY_INLINE void rise(const float*& row, std::int64_t stride, const float*& tap,
                       std::int64_t apart) {
    if constexpr (kBegun < kOutputs) {
      add_rows<0, kBegun>(row, stride, tap, apart, apart);
      rise<kBegun + 1>(row, stride, tap, apart);
    }
  }
  /// The rows after the first outputs have ended.
  template <int kEnded = 1>
  HWY_INLINE void fall(const float*& row, std::int64_t stride, const float*& tap,
                       std::int64_t apart) {
    if constexpr (kEnded < kOutputs) {
      add_rows<kEnded, kOutputs>(row, stride, tap, apart, apart);
      fall<kEnded + 1>(row, stride, tap, apart);
    }
  }
  /// A run of `count` taps that all outputs share, each output `apart` rows after the one before:
  /// every row is loaded once. Range: count >= (kOutputs - 1) * apart.
  HWY_INLINE void add_shared(const float* row, std::int64_t stride, const float* tap,
                             std::int64_t apart, std::int64_t count) {
    rise(row, stride, tap, apart);
    add_rows<0, kOutputs>(row, stride, tap, apart, count - (kOutputs - 1) * apart);
    fall(row, stride, tap, apart);
  }

  /// The taps of output kOutput from `from` to `to` and those of the outputs after it.
  template <int kOutput = 0>
  HWY_INLINE void add_rest(const Places<kOutputs>& at, std::int64_t stride, std::int64_t from,
                           std::int64_t to) {
    if constexpr (kOutput < kOutputs) {
      const Lanes d;
      for (std::int64_t i = from; i < std::min(to, at.count[kOutput]); ++i) {
        const auto weight = hn::Set(d, at.tap[kOutput][i]);
        const float* row = at.row[kOutput] + i * stride;
        a[kOutput] = hn::MulAdd(hn::LoadU(d, row), weight, a[kOutput]);
        b[kOutput] = hn::MulAdd(hn::LoadU(d, row + hn::Lanes(d)), weight, b[kOutput]);
      }
      add_rest<kOutput + 1>(at, stride, from, to);
    }
  }
  /// The taps `from` to `to` of outputs with rows, taps and counts of their own.
  HWY_INLINE void add_apart(const Places<kOutputs>& at, std::int64_t stride, std::int64_t from,
                            std::int64_t to) {
    const Lanes d;
    const std::int64_t all = std::min(to, *std::min_element(at.count, at.count + kOutputs));
    for (std::int64_t i = from; i < all; ++i) {
      for (int o = 0; o < kOutputs; ++o) {
        const auto weight = hn::Set(d, at.tap[o][i]);
        const float* row = at.row[o] + i * stride;
        a[o] = hn::MulAdd(hn::LoadU(d, row), weight, a[o]);
        b[o] = hn::MulAdd(hn::LoadU(d, row + hn::Lanes(d)), weight, b[o]);
      }
    }
    add_rest(at, stride, std::max(from, all), to);
  }

  /// The taps `from` to `to` of outputs in which every channel has taps of its own: those of a
  /// channel are the same in all outputs, `tap_stride` apart.
  HWY_INLINE void add_lanes(const Places<kOutputs>& at, std::int64_t stride,
                            std::int64_t tap_stride, std::int64_t from, std::int64_t to) {
    const Lanes d;
    const float* tap = at.tap[0] + from * tap_stride;
    for (std::int64_t i = from; i < to; ++i, tap += tap_stride) {
      const auto weight = hn::LoadU(d, tap);
      const auto other = hn::LoadU(d, tap + hn::Lanes(d));
      for (int o = 0; o < kOutputs; ++o) {
        const float* row = at.row[o] + i * stride;
        a[o] = hn::MulAdd(hn::LoadU(d, row), weight, a[o]);
        b[o] = hn::MulAdd(hn::LoadU(d, row + hn::Lanes(d)), other, b[o]);
      }
    }
  }
};

/// One stretch of outputs for two vectors of channels.
struct Stripe {
  const PolyphasePlan& plan;
  const float* in;  ///< Row 0 is input frame `first`.
  std::int64_t stride;
  std::int64_t first;
  std::int64_t channel;  ///< Of lane 0, where channels have taps of their own.
  float* out;
  std::int64_t out_stride;
  const PolyphasePhase* only;  ///< The phase of all outputs, if not null.
};

template <int kOutputs>
HWY_INLINE Places<kOutputs> places(const Stripe& stripe, std::int64_t output) {
  const PolyphasePlan& plan = stripe.plan;
  Places<kOutputs> at;
  std::int64_t frame = output * plan.down / plan.up;
  std::int64_t phase = output * plan.down % plan.up;
  for (int o = 0; o < kOutputs; ++o) {
    const PolyphasePhase& p =
        stripe.only != nullptr ? *stripe.only : plan.phases[static_cast<std::size_t>(phase)];
    at.row[o] = stripe.in + (frame + p.first - stripe.first) * stripe.stride;
    at.tap[o] = plan.taps.data() + p.tap * plan.tap_stride + stripe.channel;
    at.count[o] = p.count;
    frame += plan.down / plan.up;
    phase += plan.down % plan.up;
    if (phase >= plan.up) {
      phase -= plan.up;
      ++frame;
    }
  }
  return at;
}

/// The next channels of the rows that these outputs are the first to need: rows lie too far apart
/// for the processor to foresee.
template <int kOutputs>
HWY_INLINE void fetch_next_lanes(const Places<kOutputs>& at, std::int64_t stride) {
  const std::size_t lanes = hn::Lanes(Lanes());
  const float* end = at.row[kOutputs - 1] + at.count[kOutputs - 1] * stride;
  for (const float* row = at.row[0] + (at.count[0] - 1) * stride; row < end; row += stride) {
    hwy::Prefetch(row + 2 * lanes);
    hwy::Prefetch(row + 3 * lanes);
  }
}

template <int kOutputs>
HWY_INLINE void outputs(const Stripe& stripe, std::int64_t output, float* out) {
  const auto at = places<kOutputs>(stripe, output);
  const std::int64_t most = *std::max_element(at.count, at.count + kOutputs);
  Sums<kOutputs> total;
  total.clear();
  fetch_next_lanes(at, stripe.stride);
  for (std::int64_t from = 0; from < most; from += kPolyphaseRun) {
    const std::int64_t to = std::min(from + kPolyphaseRun, most);
    Sums<kOutputs> run;
    run.clear();
    if (stripe.plan.tap_stride > 1) {
      run.add_lanes(at, stripe.stride, stripe.plan.tap_stride, from, to);
    } else if (stripe.plan.up == 1 && to - from >= (kOutputs - 1) * stripe.plan.down) {
      run.add_shared(at.row[0] + from * stripe.stride, stripe.stride, at.tap[0] + from,
                     stripe.plan.down, to - from);
    } else {
      run.add_apart(at, stripe.stride, from, to);
    }
    total.add(run);
  }
  total.store(out, stripe.out_stride);
}

/// Lanes outside, outputs inside: the rows that neighbouring outputs share stay in the first cache.
void rows(const PolyphasePlan& plan, Block<const float> in, const PolyphasePlace& place,
          Block<float> out) {
  const auto step = 2 * static_cast<std::int64_t>(hn::Lanes(Lanes()));
  for (std::int64_t lane = 0; lane < padded_channels(out.channels()); lane += step) {
    const std::int64_t channel = plan.tap_stride > 1 ? place.channel + lane : 0;
    const Stripe stripe{plan,    in.data() + lane,  in.stride(),  place.frame,
                        channel, out.data() + lane, out.stride(), place.phase};
    const std::int64_t output = place.output;
    std::int64_t at = 0;
    for (; at + kTogether <= out.frames(); at += kTogether) {
      outputs<kTogether>(stripe, output + at, stripe.out + at * stripe.out_stride);
    }
    for (; at + kTogether / 2 <= out.frames(); at += kTogether / 2) {
      outputs<kTogether / 2>(stripe, output + at, stripe.out + at * stripe.out_stride);
    }
    for (; at < out.frames(); ++at) {
      outputs<1>(stripe, output + at, stripe.out + at * stripe.out_stride);
    }
  }
}

void magnitudes(Block<const float> in, std::int64_t first, Block<float> out) {
  const Lanes d;
  for (std::int64_t row = 0; row < out.frames(); ++row) {
    const float* x = in.row(row + first);
    float* y = out.row(row);
    for (std::int64_t lane = 0; lane < padded_channels(out.channels());
         lane += static_cast<std::int64_t>(hn::Lanes(d))) {
      const auto real = hn::LoadU(d, x + lane);
      const auto imaginary = hn::LoadU(d, y + lane);
      hn::StoreU(hn::Sqrt(hn::MulAdd(real, real, hn::Mul(imaginary, imaginary))), d, y + lane);
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(rows);
HWY_EXPORT(magnitudes);

void polyphase_rows(const PolyphasePlan& plan, Block<const float> in, const PolyphasePlace& at,
                    Block<float> out) {
  HWY_DYNAMIC_DISPATCH(rows)(plan, in, at, out);
}

void polyphase_magnitudes(Block<const float> in, const PolyphasePlace& at, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(magnitudes)(in, at.output - at.frame, out);
}
}  // namespace weir::signal
#endif
