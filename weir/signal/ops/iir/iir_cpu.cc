#include <hwy/cache_control.h>

#include <algorithm>

#include "weir/signal/ops/iir/iir_kernel_internal.h"

// Three tiers are enough: SSSE3 and SSE4 have no multiply-add over SSE2, AVX3_DL nothing we use.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/iir/iir_cpu.cc"
#include <hwy/foreach_target.h>  // NOLINT: includes this file once per target
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Samples are float32 whatever the state is.
template <class D>
HWY_INLINE hn::Vec<D> load_samples(D d, const float* from) {
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(float)) {
    return hn::LoadU(d, from);
  } else {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
  }
}

template <class D>
HWY_INLINE void store_samples(D d, hn::Vec<D> v, float* to) {
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(float)) {
    hn::StoreU(v, d, to);
  } else {
    const hn::Rebind<float, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, to);
  }
}

/// One section, one frame. s1 is touched once, by the small sum of all that moves it: adding the
/// parts one by one would round a large number twice.
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE V section_frame(D d, const T* HWY_RESTRICT k, V x, V& s1, V& s2) {
  const V y = hn::MulAdd(hn::Set(d, k[0]), x, s1);
  const V drive = hn::MulAdd(hn::Set(d, k[1]), x, s2);
  const V held = hn::MulAdd(hn::Set(d, k[2]), x, s2);
  s1 = hn::Add(s1, hn::NegMulAdd(hn::Set(d, k[3]), y, drive));
  s2 = hn::NegMulAdd(hn::Set(d, k[4]), y, held);
  return y;
}

/// All sections of one frame, unrolled by recursion so that the states stay in registers.
template <int kSection, int kSections, class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE V cascade_frame(D d, const T* HWY_RESTRICT k, V x, V* s) {
  if constexpr (kSection == kSections) {
    return x;
  } else {
    const V y = section_frame(d, k + std::ptrdiff_t{5} * kSection, x,
                              s[std::ptrdiff_t{2} * kSection], s[std::ptrdiff_t{2} * kSection + 1]);
    return cascade_frame<kSection + 1, kSections>(d, k, y, s);
  }
}

/// Rows of one strip of channels.
struct Strip {
  const float* in;
  float* out;  ///< Null when only the state is wanted.
  std::int64_t in_stride;
  std::int64_t out_stride;
  std::int64_t frames;
};

template <int kSections, int kVectors, bool kStore, class D, class T = hn::TFromD<D>>
HWY_INLINE void filter_strip(D d, const T* HWY_RESTRICT k, T* HWY_RESTRICT state,
                             std::int64_t lanes, const Strip& strip) {
  using V = hn::Vec<D>;
  const auto width = static_cast<std::int64_t>(hn::Lanes(d));
  V s[kVectors][2 * kSections];
  for (int v = 0; v < kVectors; ++v) {
    for (int i = 0; i < 2 * kSections; ++i) {
      s[v][i] = hn::LoadU(d, state + i * lanes + v * width);
    }
  }
  const float* in = strip.in;
  float* out = strip.out;
  for (std::int64_t frame = 0; frame < strip.frames; ++frame) {
    for (int v = 0; v < kVectors; ++v) {
      const V y = cascade_frame<0, kSections>(d, k, load_samples(d, in + v * width), s[v]);
      if constexpr (kStore) {
        store_samples(d, y, out + v * width);
      }
    }
    in += strip.in_stride;
    if constexpr (kStore) {
      out += strip.out_stride;
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    for (int i = 0; i < 2 * kSections; ++i) {
      hn::StoreU(s[v][i], d, state + i * lanes + v * width);
    }
  }
}

/// Any number of sections, the states in memory.
template <bool kStore, class D, class T = hn::TFromD<D>>
void filter_long_strip(D d, std::span<const T> k, T* state, std::int64_t lanes,
                       const Strip& strip) {
  using V = hn::Vec<D>;
  const auto sections = static_cast<std::int64_t>(k.size() / 5);
  for (std::int64_t frame = 0; frame < strip.frames; ++frame) {
    V x = load_samples(d, strip.in + frame * strip.in_stride);
    for (std::int64_t i = 0; i < sections; ++i) {
      T* at = state + 2 * i * lanes;
      V s1 = hn::LoadU(d, at);
      V s2 = hn::LoadU(d, at + lanes);
      x = section_frame(d, k.data() + 5 * i, x, s1, s2);
      hn::StoreU(s1, d, at);
      hn::StoreU(s2, d, at + lanes);
    }
    if constexpr (kStore) {
      store_samples(d, x, strip.out + frame * strip.out_stride);
    }
  }
}

/// Two vectors at once hide latency where the registers hold both states.
template <int kSections>
constexpr int vectors_at_once() {
  return HWY_TARGET <= HWY_AVX3 && kSections <= 5 ? 2 : 1;
}

template <int kSections, bool kStore, class T>
void filter_tile(const CascadeRun<T>& run, const Strip& tile) {
  const hn::ScalableTag<T> d;
  constexpr int kVectors = vectors_at_once<kSections>();
  const auto step = static_cast<std::int64_t>(hn::Lanes(d)) * kVectors;
  for (std::int64_t lane = 0; lane < run.lanes; lane += step) {
    const Strip strip{tile.in + lane, kStore ? tile.out + lane : nullptr, tile.in_stride,
                      tile.out_stride, tile.frames};
    filter_strip<kSections, kVectors, kStore>(d, run.coefficients.data(), run.state + lane,
                                              run.lanes, strip);
  }
}

template <bool kStore, class T>
void filter_long_tile(const CascadeRun<T>& run, const Strip& tile) {
  const hn::ScalableTag<T> d;
  for (std::int64_t lane = 0; lane < run.lanes; lane += static_cast<std::int64_t>(hn::Lanes(d))) {
    const Strip strip{tile.in + lane, kStore ? tile.out + lane : nullptr, tile.in_stride,
                      tile.out_stride, tile.frames};
    filter_long_strip<kStore>(d, run.coefficients, run.state + lane, run.lanes, strip);
  }
}

template <bool kStore, class T>
void filter_any_tile(const CascadeRun<T>& run, const Strip& tile) {
  switch (run.coefficients.size() / 5) {
    case 1:
      return filter_tile<1, kStore>(run, tile);
    case 2:
      return filter_tile<2, kStore>(run, tile);
    case 3:
      return filter_tile<3, kStore>(run, tile);
    case 4:
      return filter_tile<4, kStore>(run, tile);
    case 5:
      return filter_tile<5, kStore>(run, tile);
    case 6:
      return filter_tile<6, kStore>(run, tile);
    case 7:
      return filter_tile<7, kStore>(run, tile);
    case 8:
      return filter_tile<8, kStore>(run, tile);
    default:
      return filter_long_tile<kStore>(run, tile);
  }
}

/// Fetches rows in the order in which they lie; strips would ask memory for one line of every row.
template <class T>
void fetch(const T* row, std::int64_t stride, std::int64_t lanes, std::int64_t rows) {
  constexpr std::int64_t kLine = 64 / sizeof(T);
  for (std::int64_t r = 0; r < rows; ++r, row += stride) {
    for (std::int64_t lane = 0; lane < lanes; lane += kLine) {
      hwy::Prefetch(row + lane);
    }
  }
}

/// Tiles of rows small enough that strip after strip finds them in the second-level cache. A block
/// of one tile is taken to be there already.
template <bool kStore, class T>
void filter_block(const CascadeRun<T>& run, Block<const float> in, Block<float> out) {
  constexpr std::int64_t kTileSamples = std::int64_t{64} * 1024;
  const std::int64_t rows = std::max<std::int64_t>(16, kTileSamples / run.lanes);
  for (std::int64_t first = 0; first < in.frames(); first += rows) {
    const Strip tile{in.row(first), kStore ? out.row(first) : nullptr, in.stride(), out.stride(),
                     std::min(rows, in.frames() - first)};
    if (in.frames() > rows) {
      fetch(tile.in, tile.in_stride, run.lanes, tile.frames);
      if (kStore && tile.out != tile.in) {
        fetch(tile.out, tile.out_stride, run.lanes, tile.frames);
      }
    }
    filter_any_tile<kStore>(run, tile);
  }
}

void filter_float(const CascadeRun<float>& run, Block<const float> in, Block<float> out) {
  filter_block<true>(run, in, out);
}
void filter_double(const CascadeRun<double>& run, Block<const float> in, Block<float> out) {
  filter_block<true>(run, in, out);
}
void advance_float(const CascadeRun<float>& run, Block<const float> in) {
  filter_block<false>(run, in, {});
}
void advance_double(const CascadeRun<double>& run, Block<const float> in) {
  filter_block<false>(run, in, {});
}
}  // namespace HWY_NAMESPACE
}  // namespace weir::signal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(filter_float);
HWY_EXPORT(filter_double);
HWY_EXPORT(advance_float);
HWY_EXPORT(advance_double);

void filter_rows(const CascadeRun<float>& run, Block<const float> in, Block<float> out) noexcept {
  HWY_DYNAMIC_DISPATCH(filter_float)(run, in, out);
}
void filter_rows(const CascadeRun<double>& run, Block<const float> in, Block<float> out) noexcept {
  HWY_DYNAMIC_DISPATCH(filter_double)(run, in, out);
}
void advance_rows(const CascadeRun<float>& run, Block<const float> in) noexcept {
  HWY_DYNAMIC_DISPATCH(advance_float)(run, in);
}
void advance_rows(const CascadeRun<double>& run, Block<const float> in) noexcept {
  HWY_DYNAMIC_DISPATCH(advance_double)(run, in);
}
}  // namespace weir::signal
#endif
