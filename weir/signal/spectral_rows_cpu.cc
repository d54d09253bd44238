#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/spectral_rows_cpu.cc"
#include <hwy/foreach_target.h>
// The lines above must come first.
#include <hwy/highway.h>

#include <algorithm>

#include "weir/signal/spectral_feed.h"

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, kLanePadding / 2>;
using Vector = hn::Vec<Lanes>;

#include "weir/signal/transform_stages.inc"

namespace {
/// Rows that are added up plainly, before their sum is added with care.
constexpr std::int64_t kSummed = 8;

/// A sum, and what it has too much. Source: Kahan 1965.
struct Sum {
  Vector value;
  Vector excess;

  HWY_INLINE void add(Vector part) {
    const Vector more = hn::Sub(part, excess);
    const Vector next = hn::Add(value, more);
    excess = hn::Sub(hn::Sub(next, value), more);
    value = next;
  }
};

HWY_INLINE std::int64_t vector_floats() {
  return static_cast<std::int64_t>(hn::Lanes(Lanes()));
}

/// One vector of channels of one window. Real rows stand where the transform wants them: as they
/// come where two of them are a complex row, else each with an imaginary part of zero.
struct Rows {
  const RealTransform& plan;
  const SpectralRows& from;
  std::int64_t lane;
  float* x;

  HWY_INLINE std::int64_t length() const { return std::ssize(from.window); }
  HWY_INLINE float* place(std::int64_t row) const {
    return x + (plan.halved ? row : 2 * row) * vector_floats();
  }
  HWY_INLINE const float* given(std::int64_t row) const {
    std::int64_t at = from.first + row;
    at -= at >= from.ring.frames() ? from.ring.frames() : 0;
    return from.ring.row(at) + lane;
  }
};

/// What is taken off: a + b t, t counted from the window's middle.
struct Line {
  Vector a;
  Vector b;
};

/// Copies the rows without what `centre` is and returns the line through them. A sum of anything
/// but numbers makes it NaN.
Line gather(const Rows& rows, Vector centre) {
  const Lanes d;
  const std::int64_t length = rows.length();
  const float middle = 0.5F * static_cast<float>(length - 1);
  const bool sloped = rows.from.detrend == SpectralDetrend::linear;
  Sum sum{hn::Zero(d), hn::Zero(d)};
  Sum moment{hn::Zero(d), hn::Zero(d)};
  for (std::int64_t first = 0; first < length; first += kSummed) {
    Vector part = hn::Zero(d);
    Vector moment_part = hn::Zero(d);
    for (std::int64_t row = first; row < std::min(first + kSummed, length); ++row) {
      const Vector value = hn::Sub(hn::LoadU(d, rows.given(row)), centre);
      hn::StoreU(value, d, rows.place(row));
      part = hn::Add(part, value);
      if (sloped) {
        moment_part = hn::MulAdd(hn::Set(d, static_cast<float>(row) - middle), value, moment_part);
      }
    }
    sum.add(part);
    moment.add(moment_part);
  }
  const Vector poison = hn::Mul(sum.value, hn::Zero(d));
  if (rows.from.detrend == SpectralDetrend::none) {
    return {poison, hn::Zero(d)};
  }
  const auto count = static_cast<float>(length);
  const Vector mean = hn::Add(hn::Div(sum.value, hn::Set(d, count)), poison);
  // The squares of t add up to n (n^2 - 1) / 12.
  const float squares = count * (count * count - 1) / 12;
  return {mean, sloped && squares > 0 ? hn::Div(moment.value, hn::Set(d, squares)) : hn::Zero(d)};
}

/// Takes off the line, and times the window; zeros up to the transform's size.
void taper(const Rows& rows, const Line& line) {
  const Lanes d;
  const std::int64_t length = rows.length();
  const float middle = 0.5F * static_cast<float>(length - 1);
  const bool sloped = rows.from.detrend == SpectralDetrend::linear;
  for (std::int64_t row = 0; row < length; ++row) {
    float* at = rows.place(row);
    Vector value = hn::Sub(hn::LoadU(d, at), line.a);
    if (sloped) {
      value = hn::NegMulAdd(hn::Set(d, static_cast<float>(row) - middle), line.b, value);
    }
    hn::StoreU(hn::Mul(value, hn::Set(d, rows.from.window[static_cast<std::size_t>(row)])), d, at);
    if (!rows.plan.halved) {
      hn::StoreU(hn::Zero(d), d, at + vector_floats());
    }
  }
  float* end = rows.x + rows.plan.stages * row_floats();
  for (float* at = rows.place(length); at < end; at += vector_floats()) {
    hn::StoreU(hn::Zero(d), d, at);
  }
}

/// Rows times the chirp, in place.
void chirp_rows(const RealTransform& plan, float* x) {
  for (std::int64_t row = 0; row < plan.rows; ++row) {
    float* at = x + row * row_floats();
    store(times(load(at), plan.chirp.data() + 2 * row), at);
  }
}

void transform_rows(const RealTransform& plan, float* x) {
  if (plan.chirped()) {
    chirp_rows(plan, x);
    convolve(x, plan.stages, plan.twiddles.data(), plan.chirp_spectrum.data());
    chirp_rows(plan, x);
  } else if (plan.rows > 1) {
    transform(x, plan.rows, plan.twiddles.data());
  }
}

HWY_INLINE void emit(const Complex& value, float* to) {
  const Lanes d;
  hn::StoreU(value.re, d, to);
  hn::StoreU(value.im, d, to + kLanePadding);
}

/// The frequencies of the real rows from those of the complex ones.
void untangle(const RealTransform& plan, const float* x, float* out) {
  const Lanes d;
  const auto row = [&](std::int64_t k) {
    return load(x + plan.places[static_cast<std::size_t>(k)] * row_floats());
  };
  if (!plan.halved) {
    for (std::int64_t k = 0; k < plan.bins(); ++k) {
      emit(row(k), out + k * 2 * kLanePadding);
    }
    return;
  }
  const auto half = hn::Set(d, 0.5F);
  for (std::int64_t k = 0; 2 * k <= plan.rows; ++k) {
    const Complex a = row(k);
    const Complex b = row(k == 0 ? 0 : plan.rows - k);
    const Complex sum{hn::Mul(half, hn::Add(a.re, b.re)), hn::Mul(half, hn::Sub(a.im, b.im))};
    const Complex apart{hn::Sub(a.re, b.re), hn::Add(a.im, b.im)};
    const Complex turned = times(apart, plan.untangle.data() + 2 * k);
    emit(add(sum, turned), out + k * 2 * kLanePadding);
    const Complex other = subtract(sum, turned);
    emit({other.re, hn::Neg(other.im)}, out + (plan.rows - k) * 2 * kLanePadding);
  }
}

}  // namespace

void windowed_spectrum(const RealTransform& plan, const SpectralRows& from, std::int64_t first_lane,
                       float* scratch, float* out) {
  const Lanes d;
  for (std::int64_t lane = 0; lane < kLanePadding; lane += vector_floats()) {
    const Rows rows{plan, from, first_lane + lane, scratch};
    const Vector centre =
        from.detrend == SpectralDetrend::none ? hn::Zero(d) : hn::LoadU(d, rows.given(0));
    taper(rows, gather(rows, centre));
    transform_rows(plan, scratch);
    untangle(plan, scratch, out + lane);
  }
}

void squared_magnitudes(const float* spectrum, std::int64_t bins, float* powers) {
  const Lanes d;
  for (std::int64_t bin = 0; bin < bins; ++bin, spectrum += 2 * kLanePadding) {
    for (std::int64_t lane = 0; lane < kLanePadding; lane += vector_floats()) {
      const auto re = hn::LoadU(d, spectrum + lane);
      const auto im = hn::LoadU(d, spectrum + lane + kLanePadding);
      hn::StoreU(hn::MulAdd(im, im, hn::Mul(re, re)), d, powers + bin * kLanePadding + lane);
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(windowed_spectrum);
HWY_EXPORT(squared_magnitudes);

void spectrum_of(const RealTransform& plan, const SpectralRows& rows, std::int64_t lane,
                 float* scratch, float* out) {
  HWY_DYNAMIC_DISPATCH(windowed_spectrum)(plan, rows, lane, scratch, out);
}

void powers_of(const float* spectrum, std::int64_t bins, float* powers) {
  HWY_DYNAMIC_DISPATCH(squared_magnitudes)(spectrum, bins, powers);
}

std::int64_t spectral_floats(const RealTransform& plan) noexcept {
  // A row of 16 lanes, the widest vector, is the largest.
  return plan.stages * kLanePadding;
}
}  // namespace weir::signal
#endif
