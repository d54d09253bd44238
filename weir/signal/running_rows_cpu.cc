#include <limits>

#include "weir/signal/running_rows_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/running_rows_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, kLanePadding / 2>;
using Floats = hn::Rebind<float, Doubles>;
using V = hn::Vec<Doubles>;

/// A sample as it stands in the sums: its distance from the centre, 0 and bad where not finite.
struct Term {
  V distance;
  V bad;
};

HWY_INLINE Term term_of(const float* row, const float* centre, std::size_t c) {
  const Doubles d;
  const Floats f;
  const auto value = hn::LoadU(f, row + c);
  const V distance = hn::Sub(hn::PromoteTo(d, value), hn::PromoteTo(d, hn::LoadU(f, centre + c)));
  const auto largest = hn::Set(d, double{std::numeric_limits<float>::max()});
  const auto good = hn::Le(hn::Abs(hn::PromoteTo(d, value)), largest);
  return {hn::IfThenElseZero(good, distance), hn::IfThenElseZero(hn::Not(good), hn::Set(d, 1.0))};
}

/// Of one vector of channels.
struct Window {
  V sum;
  V squares;
  V bad;
};

HWY_INLINE Window load(const double* sums, std::size_t padded, std::size_t c) {
  const Doubles d;
  return {hn::LoadU(d, sums + c), hn::LoadU(d, sums + padded + c),
          hn::LoadU(d, sums + 2 * padded + c)};
}

HWY_INLINE void store(const Window& window, double* sums, std::size_t padded, std::size_t c) {
  const Doubles d;
  hn::StoreU(window.sum, d, sums + c);
  hn::StoreU(window.squares, d, sums + padded + c);
  hn::StoreU(window.bad, d, sums + 2 * padded + c);
}

HWY_INLINE void add_term(const Term& term, Window& window) {
  window.sum = hn::Add(window.sum, term.distance);
  window.squares = hn::Add(window.squares, hn::Mul(term.distance, term.distance));
  window.bad = hn::Add(window.bad, term.bad);
}

HWY_INLINE void subtract_term(const Term& term, Window& window) {
  window.sum = hn::Sub(window.sum, term.distance);
  window.squares = hn::Sub(window.squares, hn::Mul(term.distance, term.distance));
  window.bad = hn::Sub(window.bad, term.bad);
}

void add_row(const float* row, const float* centre, std::int64_t channels, double* sums) {
  const auto padded = static_cast<std::size_t>(padded_channels(channels));
  for (std::size_t c = 0; c < padded; c += hn::Lanes(Doubles())) {
    Window window = load(sums, padded, c);
    add_term(term_of(row, centre, c), window);
    store(window, sums, padded, c);
  }
}

void add_sums(const double* from, std::int64_t channels, double* sums) {
  const Doubles d;
  for (std::size_t i = 0; i < static_cast<std::size_t>(running_sums(channels)); i += hn::Lanes(d)) {
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::LoadU(d, from + i)), d, sums + i);
  }
}

/// The sums moved on by a frame, as they are stored.
HWY_INLINE Window moved(const RunningRow& row, double* sums, std::size_t padded, std::size_t c) {
  Window window = load(sums, padded, c);
  if (row.coming != nullptr) {
    add_term(term_of(row.coming, row.centre, c), window);
  }
  if (row.going != nullptr) {
    subtract_term(term_of(row.going, row.centre, c), window);
  }
  store(window, sums, padded, c);
  return window;
}

template <bool kDivide>
void emit_row(const RunningRow& row, std::int64_t channels, double* sums, float* out) {
  const Doubles d;
  const Floats f;
  const auto padded = static_cast<std::size_t>(padded_channels(channels));
  const auto part = hn::Set(d, row.of_count);
  const auto nan = hn::Set(f, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
    const Window window = moved(row, sums, padded, c);
    const V mean = hn::Mul(window.sum, part);
    const V here = term_of(row.here, row.centre, c).distance;
    auto result = hn::DemoteTo(f, hn::Sub(here, mean));
    if constexpr (kDivide) {
      const V square = hn::Mul(window.squares, part);
      const V variance = hn::Sub(square, hn::Mul(mean, mean));
      const auto spread = hn::Gt(variance, hn::Mul(square, hn::Set(d, kLeastSpread)));
      // Where there is none, an infinite one: the quotient is 0.
      const V divisor =
          hn::IfThenElse(spread, variance, hn::Set(d, std::numeric_limits<double>::infinity()));
      result = hn::Div(result, hn::Sqrt(hn::DemoteTo(f, divisor)));
    }
    const auto bad = hn::Gt(hn::DemoteTo(f, window.bad), hn::Zero(f));
    hn::StoreU(hn::IfThenElse(bad, nan, result), f, out + c);
  }
}

void emit_row_either(const RunningRow& row, std::int64_t channels, double* sums, float* out) {
  if (row.divide) {
    emit_row<true>(row, channels, sums, out);
  } else {
    emit_row<false>(row, channels, sums, out);
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(add_row);
HWY_EXPORT(add_sums);
HWY_EXPORT(emit_row_either);

void add_running_row(const float* row, const float* centre, std::int64_t channels, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_row)(row, centre, channels, sums);
}

void add_running_sums(const double* from, std::int64_t channels, double* sums) {
  HWY_DYNAMIC_DISPATCH(add_sums)(from, channels, sums);
}

void emit_running_row(const RunningRow& row, std::int64_t channels, double* sums, float* out) {
  HWY_DYNAMIC_DISPATCH(emit_row_either)(row, channels, sums, out);
}

}  // namespace weir::signal
#endif
