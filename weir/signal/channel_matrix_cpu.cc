#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/channel_matrix_cpu.cc"
#include <hwy/foreach_target.h>
// The lines above must come first.
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "weir/signal/channel_matrix.h"

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, kLanePadding / 2>;
using Vector = hn::Vec<Lanes>;

/// Frames whose sums of two vectors of outputs stand in registers, with the two vectors of weights
/// and one sample: 27 of 32 registers, or 15 of 16.
constexpr int kTogether = HWY_TARGET <= HWY_AVX3 ? 12 : 6;
/// Frames that stay in the second cache while the panels pass.
constexpr std::int64_t kTileFrames = std::int64_t{16} * kTogether;

/// The entries of one panel, from the lane on that the sums begin with.
struct Entries {
  const std::int32_t* columns;
  const float* weights;
  std::int64_t count;
};

/// Some frames and where they go.
struct Rows {
  const float* in;
  std::int64_t in_stride;
  float* out;
  std::int64_t out_stride;

  Rows from(std::int64_t frame) const {
    return {in + frame * in_stride, in_stride, out + frame * out_stride, out_stride};
  }
};

/// The sum of the terms alone: what has no term is not even multiplied by 0.
HWY_NOINLINE void sum_of_terms(const Entries& entries, const float* in, float* out) {
  const Lanes d;
  auto sum = hn::LoadU(d, out);
  const auto known = hn::Eq(hn::Sub(sum, sum), hn::Zero(d));
  auto terms = hn::Zero(d);
  for (std::int64_t e = 0; e < entries.count; ++e) {
    const auto weight = hn::LoadU(d, entries.weights + e * kLanePadding);
    const auto more = hn::MulAdd(weight, hn::Set(d, in[entries.columns[e]]), terms);
    terms = hn::IfThenElse(hn::Eq(weight, hn::Zero(d)), terms, more);
  }
  hn::StoreU(hn::IfThenElse(known, sum, terms), d, out);
}

template <int kFrames>
HWY_INLINE void multiply(const Entries& entries, const Rows& rows) {
  const Lanes d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  Vector a[kFrames];
  Vector b[kFrames];
  for (int f = 0; f < kFrames; ++f) {
    a[f] = b[f] = hn::Zero(d);
  }
  const std::int64_t stride = rows.in_stride;
  const float* weights = entries.weights;
  for (std::int64_t e = 0; e < entries.count; ++e, weights += kLanePadding) {
    const auto left = hn::LoadU(d, weights);
    const auto right = hn::LoadU(d, weights + lanes);
    const float* four = rows.in + entries.columns[e];
    for (int f = 0; f < kFrames; ++f) {
      // Rows by fours: base, one and two strides and three are what addresses can hold.
      const auto x = hn::Set(d, four[std::int64_t{f / 4} * (4 * stride) + f % 4 * stride]);
      a[f] = hn::MulAdd(left, x, a[f]);
      b[f] = hn::MulAdd(right, x, b[f]);
    }
  }
  auto left = hn::Zero(d);
  auto right = hn::Zero(d);
  for (int f = 0; f < kFrames; ++f) {
    float* out = rows.out + f * rows.out_stride;
    hn::StoreU(a[f], d, out);
    hn::StoreU(b[f], d, out + lanes);
    left = hn::MulAdd(a[f], hn::Zero(d), left);
    right = hn::MulAdd(b[f], hn::Zero(d), right);
  }
  if (HWY_LIKELY(hn::AllTrue(d, hn::Eq(hn::Add(left, right), hn::Zero(d))))) {
    return;
  }
  for (int f = 0; f < kFrames; ++f) {
    const Rows row = rows.from(f);
    sum_of_terms(entries, row.in, row.out);
    sum_of_terms({entries.columns, entries.weights + lanes, entries.count}, row.in,
                 row.out + lanes);
  }
}

HWY_NOINLINE void multiply_panel(const Entries& entries, const Rows& rows, std::int64_t frames) {
  std::int64_t at = 0;
  for (; at + kTogether <= frames; at += kTogether) {
    multiply<kTogether>(entries, rows.from(at));
  }
  for (; at + kTogether / 3 <= frames; at += kTogether / 3) {
    multiply<kTogether / 3>(entries, rows.from(at));
  }
  for (; at < frames; ++at) {
    multiply<1>(entries, rows.from(at));
  }
}

void frames(const PackedMatrix& matrix, Block<const float> in, Block<float> out) {
  const auto step = 2 * static_cast<std::int64_t>(hn::Lanes(Lanes()));
  for (std::int64_t first = 0; first < in.frames(); first += kTileFrames) {
    const std::int64_t count = std::min(kTileFrames, in.frames() - first);
    for (std::size_t p = 0; p < matrix.panels.size(); ++p) {
      const MatrixPanel& panel = matrix.panels[p];
      for (std::int64_t lane = 0; lane < kLanePadding; lane += step) {
        const Entries entries{matrix.columns.data() + panel.first,
                              matrix.weights.data() + panel.first * kLanePadding + lane,
                              panel.count};
        float* to = out.row(first) + static_cast<std::int64_t>(p) * kLanePadding + lane;
        multiply_panel(entries, {in.row(first), in.stride(), to, out.stride()}, count);
      }
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(frames);

void multiply_frames(const PackedMatrix& matrix, Block<const float> in, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(frames)(matrix, in, out);
}
}  // namespace weir::signal
#endif
