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

#include "weir/signal/transform_stages.inc"

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
