#include "weir/signal/ops/coherence/coherence_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/coherence/coherence_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {
using Lanes = hn::CappedTag<float, kLanePadding>;
using Vector = hn::Vec<Lanes>;

/// Adds to a sum, and to what it has too much `excess` floats after it.
HWY_INLINE void add_to(float* at, std::int64_t excess, Vector value) {
  const Lanes d;
  const Vector sum = hn::LoadU(d, at);
  const Vector more = hn::Sub(value, hn::LoadU(d, at + excess));
  const Vector next = hn::Add(sum, more);
  hn::StoreU(hn::Sub(hn::Sub(next, sum), more), d, at + excess);
  hn::StoreU(next, d, at);
}

void add_run(const PairRun& run, const float* spectra, std::int64_t bins, std::int64_t row,
             float* sums) {
  const Lanes d;
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t bin = 0; bin < bins; ++bin, spectra += 2 * row, sums += 4 * run.padded) {
    const Vector re = hn::Set(d, spectra[run.channel]);
    const Vector im = hn::Set(d, spectra[row + run.channel]);
    for (std::int64_t i = 0; i < run.count; i += step) {
      const Vector other_re = hn::LoadU(d, spectra + run.first_other + i);
      const Vector other_im = hn::LoadU(d, spectra + row + run.first_other + i);
      add_to(sums + i, run.padded, hn::MulAdd(im, other_im, hn::Mul(re, other_re)));
      add_to(sums + 2 * run.padded + i, run.padded,
             hn::NegMulAdd(im, other_re, hn::Mul(re, other_im)));
    }
  }
}
}  // namespace

void products_added(const PairPlan& pairs, const float* spectra, std::int64_t bins,
                    std::int64_t row, float* sums) {
  for (const auto& run : pairs.runs) {
    add_run(run, spectra, bins, row, sums + run.first_sum * bins * 4);
  }
}

void own_powers_added(const float* spectra, std::int64_t bins, std::int64_t row, float* powers) {
  const Lanes d;
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t bin = 0; bin < bins; ++bin, spectra += 2 * row, powers += 2 * row) {
    for (std::int64_t c = 0; c < row; c += step) {
      const Vector re = hn::LoadU(d, spectra + c);
      const Vector im = hn::LoadU(d, spectra + row + c);
      add_to(powers + c, row, hn::MulAdd(im, im, hn::Mul(re, re)));
    }
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(products_added);
HWY_EXPORT(own_powers_added);

void add_products(const PairPlan& pairs, const float* spectra, std::int64_t bins, std::int64_t row,
                  float* sums) {
  HWY_DYNAMIC_DISPATCH(products_added)(pairs, spectra, bins, row, sums);
}
void add_own_powers(const float* spectra, std::int64_t bins, std::int64_t row, float* powers) {
  HWY_DYNAMIC_DISPATCH(own_powers_added)(spectra, bins, row, powers);
}

}  // namespace weir::signal
#endif
