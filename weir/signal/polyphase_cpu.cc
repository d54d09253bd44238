#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/polyphase_cpu.cc"
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

/// Four running sums by tap number modulo 4, of two vectors of channels: eight independent chains
/// hide the latency of a multiply-add.
struct Sums {
  Vector a0, a1, b0, b1, c0, c1, d0, d1;

  explicit Sums(Lanes d)
      : a0(hn::Zero(d)), a1(a0), b0(a0), b1(a0), c0(a0), c1(a0), d0(a0), d1(a0) {}
  Vector first() const { return hn::Add(hn::Add(a0, b0), hn::Add(c0, d0)); }
  Vector second() const { return hn::Add(hn::Add(a1, b1), hn::Add(c1, d1)); }
};

HWY_INLINE void add_tap(const float* row, const float* tap, Vector& sum0, Vector& sum1) {
  const Lanes d;
  const auto weight = hn::Set(d, *tap);
  sum0 = hn::MulAdd(hn::LoadU(d, row), weight, sum0);
  sum1 = hn::MulAdd(hn::LoadU(d, row + hn::Lanes(d)), weight, sum1);
}

HWY_INLINE Sums add_run(const float* row, std::int64_t stride, const float* taps,
                        std::int64_t count) {
  Sums s{Lanes()};
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4, row += 4 * stride) {
    add_tap(row, taps + i, s.a0, s.a1);
    add_tap(row + stride, taps + i + 1, s.b0, s.b1);
    add_tap(row + 2 * stride, taps + i + 2, s.c0, s.c1);
    add_tap(row + 3 * stride, taps + i + 3, s.d0, s.d1);
  }
  if (i < count) {
    add_tap(row, taps + i, s.a0, s.a1);
  }
  if (i + 1 < count) {
    add_tap(row + stride, taps + i + 1, s.b0, s.b1);
  }
  if (i + 2 < count) {
    add_tap(row + 2 * stride, taps + i + 2, s.c0, s.c1);
  }
  return s;
}

HWY_INLINE void output_row(const float* row, std::int64_t stride, const float* taps,
                           std::int64_t count, float* out) {
  const Lanes d;
  const std::int64_t run = std::min(count, kPolyphaseRun);
  const Sums head = add_run(row, stride, taps, run);
  auto sum0 = head.first();
  auto sum1 = head.second();
  for (std::int64_t done = run; done < count; done += kPolyphaseRun) {
    const Sums more =
        add_run(row + done * stride, stride, taps + done, std::min(count - done, kPolyphaseRun));
    sum0 = hn::Add(sum0, more.first());
    sum1 = hn::Add(sum1, more.second());
  }
  hn::StoreU(sum0, d, out);
  hn::StoreU(sum1, d, out + hn::Lanes(d));
}

/// One output's sum of two vectors of channels.
struct Pair {
  Vector a, b;
  HWY_INLINE void clear() { a = b = hn::Zero(Lanes()); }
  HWY_INLINE void add(const float* row, Vector weight) {
    const Lanes d;
    a = hn::MulAdd(hn::LoadU(d, row), weight, a);
    b = hn::MulAdd(hn::LoadU(d, row + hn::Lanes(d)), weight, b);
  }
  HWY_INLINE void add(const Pair& other) {
    a = hn::Add(a, other.a);
    b = hn::Add(b, other.b);
  }
  HWY_INLINE void store(float* out) const {
    const Lanes d;
    hn::StoreU(a, d, out);
    hn::StoreU(b, d, out + hn::Lanes(d));
  }
};

/// `kOutputs` outputs that share their taps, `step` floats apart; each sums its taps in order, in
/// runs of kPolyphaseRun / 4, so that how many are done together changes nothing.
template <int kOutputs>
HWY_INLINE void single_phase(const float* row, std::int64_t stride, std::int64_t step,
                             const PolyphasePlan& plan, float* const* out) {
  constexpr std::int64_t kRun = kPolyphaseRun / 4;
  Pair sum[kOutputs];
  for (auto& pair : sum) {
    pair.clear();
  }
  for (std::int64_t first = 0; first < plan.length; first += kRun) {
    Pair run[kOutputs];
    for (auto& pair : run) {
      pair.clear();
    }
    const std::int64_t last = std::min(first + kRun, plan.length);
    for (std::int64_t i = first; i < last; ++i, row += stride) {
      const auto weight = hn::Set(Lanes(), plan.taps[static_cast<std::size_t>(i)]);
      for (int o = 0; o < kOutputs; ++o) {
        run[o].add(row + o * step, weight);
      }
    }
    for (int o = 0; o < kOutputs; ++o) {
      sum[o].add(run[o]);
    }
  }
  for (int o = 0; o < kOutputs; ++o) {
    sum[o].store(out[o]);
  }
}

/// Plans with one phase: four outputs at a time share each tap, eight independent sums.
void single_phase_rows(const PolyphasePlan& plan, Block<const float> in, std::int64_t first,
                       std::int64_t output, Block<float> out) {
  constexpr int kTogether = 4;
  const auto width = 2 * static_cast<std::int64_t>(hn::Lanes(Lanes()));
  const std::int64_t step = plan.down * in.stride();
  for (std::int64_t lane = 0; lane < padded_channels(out.channels()); lane += width) {
    const float* row = in.row(output * plan.down + plan.phases[0].first - first) + lane;
    std::int64_t at = 0;
    for (; at + kTogether <= out.frames(); at += kTogether, row += kTogether * step) {
      float* to[kTogether];
      for (int o = 0; o < kTogether; ++o) {
        to[o] = out.row(at + o) + lane;
      }
      single_phase<kTogether>(row, in.stride(), step, plan, to);
    }
    for (; at < out.frames(); ++at, row += step) {
      float* to = out.row(at) + lane;
      single_phase<1>(row, in.stride(), step, plan, &to);
    }
  }
}

/// Lanes outside, outputs inside: the rows that neighbouring outputs share stay in the first cache.
void rows(const PolyphasePlan& plan, Block<const float> in, std::int64_t first, std::int64_t output,
          Block<float> out) {
  const auto step = 2 * static_cast<std::int64_t>(hn::Lanes(Lanes()));
  const std::int64_t whole = plan.down / plan.up;
  const std::int64_t part = plan.down % plan.up;
  for (std::int64_t lane = 0; lane < padded_channels(out.channels()); lane += step) {
    std::int64_t at = output * plan.down / plan.up - first;
    std::int64_t phase = output * plan.down % plan.up;
    for (std::int64_t row = 0; row < out.frames(); ++row) {
      const PolyphasePhase& p = plan.phases[static_cast<std::size_t>(phase)];
      output_row(in.row(at + p.first) + lane, in.stride(), plan.taps.data() + p.tap, p.count,
                 out.row(row) + lane);
      at += whole;
      phase += part;
      if (phase >= plan.up) {
        phase -= plan.up;
        ++at;
      }
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(rows);
HWY_EXPORT(single_phase_rows);

void polyphase_rows(const PolyphasePlan& plan, Block<const float> in, std::int64_t first,
                    std::int64_t output, Block<float> out) {
  if (plan.up == 1) {
    HWY_DYNAMIC_DISPATCH(single_phase_rows)(plan, in, first, output, out);
    return;
  }
  HWY_DYNAMIC_DISPATCH(rows)(plan, in, first, output, out);
}
}  // namespace weir::signal
#endif
