#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/overlap_save_cpu.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
// The lines above must come first.
#include <hwy/highway.h>

#include <algorithm>

#include "weir/signal/overlap_save.h"

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, kLanePadding / 2>;
using Vector = hn::Vec<Lanes>;
using Mask = hn::Mask<Lanes>;

/// Beyond this, sums of a transform's rows might leave the range.
constexpr float kLargest = 1e30F;

struct Complex {
  Vector re;
  Vector im;
};

HWY_INLINE std::int64_t row_floats() {
  return 2 * static_cast<std::int64_t>(hn::Lanes(Lanes()));
}
HWY_INLINE Complex load(const float* row) {
  const Lanes d;
  return {hn::LoadU(d, row), hn::LoadU(d, row + hn::Lanes(d))};
}
HWY_INLINE void store(const Complex& value, float* row) {
  const Lanes d;
  hn::StoreU(value.re, d, row);
  hn::StoreU(value.im, d, row + hn::Lanes(d));
}
HWY_INLINE Complex add(const Complex& a, const Complex& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
HWY_INLINE Complex subtract(const Complex& a, const Complex& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
/// Times the number at `factor`.
HWY_INLINE Complex times(const Complex& a, const float* factor) {
  const Lanes d;
  const auto re = hn::Set(d, factor[0]);
  const auto im = hn::Set(d, factor[1]);
  return {hn::NegMulAdd(a.im, im, hn::Mul(a.re, re)), hn::MulAdd(a.re, im, hn::Mul(a.im, re))};
}
/// Times the conjugate of the number at `factor`.
HWY_INLINE Complex times_conjugate(const Complex& a, const float* factor) {
  const Lanes d;
  const auto re = hn::Set(d, factor[0]);
  const auto im = hn::Set(d, factor[1]);
  return {hn::MulAdd(a.im, im, hn::Mul(a.re, re)), hn::NegMulAdd(a.re, im, hn::Mul(a.im, re))};
}

/// Four rows a quarter of a transform apart.
struct Four {
  Complex row[4];

  HWY_INLINE void forward() {
    const Complex even = add(row[0], row[2]);
    const Complex odd = subtract(row[0], row[2]);
    const Complex sum = add(row[1], row[3]);
    const Complex apart = subtract(row[1], row[3]);
    row[0] = add(even, sum);
    row[1] = {hn::Add(odd.re, apart.im), hn::Sub(odd.im, apart.re)};  // odd - i apart
    row[2] = subtract(even, sum);
    row[3] = {hn::Sub(odd.re, apart.im), hn::Add(odd.im, apart.re)};
  }
  HWY_INLINE void backward() {
    const Complex even = add(row[0], row[2]);
    const Complex sum = subtract(row[0], row[2]);
    const Complex odd = add(row[1], row[3]);
    const Complex apart = subtract(row[1], row[3]);
    row[0] = add(even, odd);
    row[1] = {hn::Sub(sum.re, apart.im), hn::Add(sum.im, apart.re)};  // sum + i apart
    row[2] = subtract(even, odd);
    row[3] = {hn::Add(sum.re, apart.im), hn::Sub(sum.im, apart.re)};
  }
  HWY_INLINE void turn(const float* factors) {
    row[1] = times(row[1], factors);
    row[2] = times(row[2], factors + 2);
    row[3] = times(row[3], factors + 4);
  }
  HWY_INLINE void turn_back(const float* factors) {
    row[1] = times_conjugate(row[1], factors);
    row[2] = times_conjugate(row[2], factors + 2);
    row[3] = times_conjugate(row[3], factors + 4);
  }
  HWY_INLINE void load_from(const float* x, std::int64_t apart) {
    for (int r = 0; r < 4; ++r) {
      row[r] = load(x + r * apart);
    }
  }
  HWY_INLINE void store_to(float* x, std::int64_t apart) const {
    for (int r = 0; r < 4; ++r) {
      store(row[r], x + r * apart);
    }
  }
};

/// Forward, times the spectrum, and back. Depth first, so that all but the largest transforms stay
/// in the first cache; and in place: the order in which the stages leave the frequencies is that of
/// the spectrum, and the way back begins there.
void convolve(float* x, std::int64_t size, const float* twiddles, const float* spectrum);

/// The parts of a transform after its first stage and before its last.
HWY_INLINE void convolve_quarters(float* x, std::int64_t quarter, const float* twiddles,
                                  const float* spectrum) {
  for (std::int64_t r = 0; r < 4; ++r) {
    convolve(x + r * quarter * row_floats(), quarter, twiddles + 6 * quarter,
             spectrum + 2 * r * quarter);
  }
}

void convolve(float* x, std::int64_t size, const float* twiddles, const float* spectrum) {
  const std::int64_t quarter = size / 4;
  const std::int64_t apart = quarter * row_floats();
  Four four;
  if (size == 2) {
    const Complex a = load(x);
    const Complex b = load(x + row_floats());
    const Complex sum = times(add(a, b), spectrum);
    const Complex difference = times(subtract(a, b), spectrum + 2);
    store(add(sum, difference), x);
    store(subtract(sum, difference), x + row_floats());
  } else if (size == 4) {
    four.load_from(x, apart);
    four.forward();
    four.row[0] = times(four.row[0], spectrum);
    four.turn(spectrum + 2);
    four.backward();
    four.store_to(x, apart);
  } else {
    for (std::int64_t j = 0; j < quarter; ++j) {
      four.load_from(x + j * row_floats(), apart);
      four.forward();
      four.turn(twiddles + 6 * j);
      four.store_to(x + j * row_floats(), apart);
    }
    convolve_quarters(x, quarter, twiddles, spectrum);
    for (std::int64_t j = 0; j < quarter; ++j) {
      four.load_from(x + j * row_floats(), apart);
      four.turn_back(twiddles + 6 * j);
      four.backward();
      four.store_to(x + j * row_floats(), apart);
    }
  }
}

/// Rows of a transform from which on the rows it comes from leave the second cache.
constexpr std::int64_t kFarRows = 4096;

/// One vector of channels of both stretches.
struct Stretches {
  const OverlapSave& plan;
  Block<const float> in;
  Block<float> out;
  std::int64_t lane;

  /// The next channels of a row, long before their turn: rows lie too far apart for the processor
  /// to foresee.
  HWY_INLINE void fetch_next(const float* at) const {
    if (plan.size >= kFarRows) {
      hwy::Prefetch(at + hn::Lanes(Lanes()));
    }
  }
};

/// A row of a stretch; zeros past the end. `fine` loses the lanes that no transform can take.
HWY_INLINE Vector read(const Stretches& from, std::int64_t row, Mask taken, Mask& fine) {
  const Lanes d;
  if (row >= from.in.frames()) {
    return hn::Zero(d);
  }
  const float* at = from.in.row(row) + from.lane;
  from.fetch_next(at);
  const auto x = hn::IfThenElseZero(taken, hn::LoadU(d, at));
  fine = hn::And(fine, hn::Lt(hn::Abs(x), hn::Set(d, kLargest)));
  return x;
}

/// The first stage, from the rows. Returns the lanes that were fine.
Mask read_all(const Stretches& from, Mask taken, float* x) {
  const std::int64_t quarter = from.plan.size / 4;
  Mask fine = hn::FirstN(Lanes(), hn::Lanes(Lanes()));
  Four four;
  for (std::int64_t j = 0; j < quarter; ++j) {
    for (int r = 0; r < 4; ++r) {
      const std::int64_t row = j + r * quarter;
      four.row[r] = {read(from, row, taken, fine), read(from, row + from.plan.block, taken, fine)};
    }
    four.forward();
    four.turn(from.plan.twiddles.data() + 6 * j);
    four.store_to(x + j * row_floats(), quarter * row_floats());
  }
  return fine;
}

/// One vector of channels into a row.
HWY_INLINE void write(Vector value, const Stretches& to, std::int64_t row) {
  const Lanes d;
  float* at = to.out.row(row) + to.lane;
  to.fetch_next(at);
  hn::StoreU(value, d, at);
}

/// The last stage, into the rows.
void write_all(const Stretches& to, const float* x) {
  const std::int64_t quarter = to.plan.size / 4;
  Four four;
  for (std::int64_t j = 0; j < std::min(quarter, to.plan.block); ++j) {
    four.load_from(x + j * row_floats(), quarter * row_floats());
    four.turn_back(to.plan.twiddles.data() + 6 * j);
    four.backward();
    for (int r = 0; r < 4; ++r) {
      const std::int64_t row = j + r * quarter;
      if (row < to.plan.block && row < to.out.frames()) {
        write(four.row[r].re, to, row);
      }
      if (row < to.plan.block && row + to.plan.block < to.out.frames()) {
        write(four.row[r].im, to, row + to.plan.block);
      }
    }
  }
}

bool rows(const OverlapSave& plan, Block<const float> in, Block<float> out, float* scratch,
          std::uint8_t* left_out) {
  const Lanes d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::fill_n(left_out, padded_channels(out.channels()), std::uint8_t{0});
  bool any = false;
  for (std::int64_t lane = 0; lane < out.channels(); lane += lanes) {
    const Stretches stretches{plan, in, out, lane};
    const auto channels =
        hn::FirstN(d, static_cast<std::size_t>(std::min(lanes, out.channels() - lane)));
    const auto fine = read_all(stretches, channels, scratch);
    if (!hn::AllTrue(d, fine)) {
      read_all(stretches, hn::And(channels, fine), scratch);
      any = true;
      for (std::int64_t i = 0; i < lanes; ++i) {
        const auto one = hn::AndNot(hn::FirstN(d, static_cast<std::size_t>(i)),
                                    hn::FirstN(d, static_cast<std::size_t>(i + 1)));
        left_out[lane + i] = hn::AllFalse(d, hn::And(one, fine)) ? 1 : 0;
      }
    }
    convolve_quarters(scratch, plan.size / 4, plan.twiddles.data(), plan.spectrum.data());
    write_all(stretches, scratch);
  }
  return any;
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(rows);

bool overlap_save_rows(const OverlapSave& plan, Block<const float> in, Block<float> out,
                       float* scratch, std::uint8_t* left_out) {
  return HWY_DYNAMIC_DISPATCH(rows)(plan, in, out, scratch, left_out);
}
}  // namespace weir::signal
#endif
