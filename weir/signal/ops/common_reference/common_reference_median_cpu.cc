#include <algorithm>
#include <bit>

#include "weir/signal/ops/common_reference/common_reference_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/common_reference/common_reference_median_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes are rows: 32 medians at a time, each bit decided by one pass over the channels, with no
// sum across lanes. Counts fit 16 bits because at most 32767 channels take part.
using Lanes = hn::CappedTag<std::int16_t, kReferenceRows>;
using V = hn::Vec<Lanes>;
using M = hn::Mask<Lanes>;
using Members = std::span<const std::uint32_t>;

constexpr std::int16_t kMost = 32767;
constexpr std::size_t kRows = kReferenceRows;
constexpr std::size_t kBlock = 8;      // 128 bits of channels or rows
constexpr std::size_t kChannels = 32;  // floats split at once

HWY_INLINE V plus_where(M mask, V count) {
  return hn::IfThenElse(mask, hn::Add(count, hn::Set(Lanes(), 1)), count);
}

#if HWY_TARGET == HWY_SCALAR
void turn(const std::int16_t* const* rows, std::int16_t* to) {
  for (std::size_t c = 0; c < kBlock; ++c) {
    for (std::size_t row = 0; row < kRows; ++row) {
      to[c * kRows + row] = rows[row][c];
    }
  }
}
#else
/// 8 channels of every 8th row, one row per 128-bit block.
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const std::int16_t* const* rows) {
  if constexpr (hn::MaxLanes(D()) == kBlock) {
    return hn::LoadU(d, rows[0]);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_blocks(half, rows + hn::MaxLanes(half)), load_blocks(half, rows));
  }
}

/// Writes 8 channels of 32 rows as [channels, rows]: three perfect shuffles of eight vectors
/// transpose each 8 x 8 block.
HWY_INLINE void turn(const std::int16_t* const* rows, std::int16_t* to) {
  const Lanes d;
  for (std::size_t lane = 0; lane < kRows; lane += hn::Lanes(d)) {
    V a[kBlock];
    V b[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) {
      a[i] = load_blocks(d, rows + lane + i);
    }
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < kBlock / 2; ++i) {
        b[2 * i] = hn::InterleaveLower(d, a[i], a[i + 4]);
        b[2 * i + 1] = hn::InterleaveUpper(d, a[i], a[i + 4]);
      }
      for (std::size_t i = 0; i < kBlock; ++i) {
        a[i] = b[i];
      }
    }
    for (std::size_t i = 0; i < kBlock; ++i) {
      hn::Store(a[i], d, to + i * kRows + lane);
    }
  }
}
#endif

/// The turned rows of neighbouring channels …
struct Dense {
  const std::int16_t* first;
  HWY_INLINE V operator()(std::size_t j) const { return hn::Load(Lanes(), first + j * kRows); }
};

/// … and of listed ones, which costs an index each.
struct Listed {
  const std::int16_t* first;
  const std::uint32_t* channels;
  HWY_INLINE V operator()(std::size_t j) const {
    return hn::Load(Lanes(), first + channels[j] * kRows);
  }
};

/// Where a search begins and how many bits it must decide.
struct Bounds {
  V low;
  int bits;
};

HWY_INLINE Bounds all_bounds() {
  return {hn::Set(Lanes(), std::int16_t{-32768}), 16};
}

/// From the smallest and the largest value of each lane: most recordings use a few hundred codes.
template <class ValueOf>
HWY_INLINE Bounds bounds_of(std::size_t count, const ValueOf& value_of) {
  const Lanes d;
  V low = value_of(0);
  V high = low;
  for (std::size_t j = 1; j < count; ++j) {
    low = hn::Min(low, value_of(j));
    high = hn::Max(high, value_of(j));
  }
  HWY_ALIGN std::int16_t ranges[kRows];
  hn::Store(hn::SaturatedSub(high, low), d, ranges);
  const auto range = static_cast<unsigned>(*std::max_element(ranges, ranges + hn::Lanes(d)));
  return range == kMost ? all_bounds() : Bounds{low, static_cast<int>(std::bit_width(range))};
}

/// The value of 0-based `rank` in each lane, highest bit first: the largest v with no more than
/// `rank` values below it. `value_of(j)` loads the j-th of `count` values. A candidate beyond the
/// type's largest value may stop there: it is taken only if that is the answer.
template <class ValueOf>
HWY_INLINE V select_rank(V rank, std::size_t count, Bounds bounds, const ValueOf& value_of) {
  const Lanes d;
  V found = bounds.low;
  for (int bit = bounds.bits - 1; bit >= 0; --bit) {
    const V candidate =
        bit == 15 ? hn::Zero(d)
                  : hn::SaturatedAdd(found, hn::Set(d, static_cast<std::int16_t>(1 << bit)));
    V below = hn::Zero(d);
    V below_too = below;  // a second sum halves the chain of additions
    std::size_t j = 0;
    for (; j + 4 <= count; j += 4) {
      below = plus_where(hn::Lt(value_of(j), candidate), below);
      below_too = plus_where(hn::Lt(value_of(j + 1), candidate), below_too);
      below = plus_where(hn::Lt(value_of(j + 2), candidate), below);
      below_too = plus_where(hn::Lt(value_of(j + 3), candidate), below_too);
    }
    for (; j < count; ++j) {
      below = plus_where(hn::Lt(value_of(j), candidate), below);
    }
    found = hn::IfThenElse(hn::Gt(hn::Add(below, below_too), rank), found, candidate);
  }
  return found;
}

/// How many values are not above `from`, and the smallest that is.
struct StepUp {
  V up_to;
  V next;
};

template <class ValueOf>
HWY_INLINE StepUp step_up(V from, std::size_t count, const ValueOf& value_of) {
  StepUp step{hn::Zero(Lanes()), hn::Set(Lanes(), kMost)};
  for (std::size_t j = 0; j < count; ++j) {
    const V value = value_of(j);
    const M above = hn::Gt(value, from);
    step.up_to = plus_where(hn::Not(above), step.up_to);
    step.next = hn::IfThenElse(above, hn::Min(value, step.next), step.next);
  }
  return step;
}

template <class ValueOf>
HWY_INLINE void medians_of_counts(std::size_t count, const ValueOf& value_of, float* references) {
  const Lanes d;
  const V rank = hn::Set(d, static_cast<std::int16_t>((count - 1) / 2));
  const V lower = select_rank(rank, count, bounds_of(count, value_of), value_of);
  V upper = lower;
  if (count % 2 == 0) {
    const StepUp step = step_up(lower, count, value_of);
    const M repeated = hn::Gt(step.up_to, hn::Add(rank, hn::Set(d, 1)));
    upper = hn::IfThenElse(repeated, lower, step.next);
  }
  HWY_ALIGN std::int16_t a[kRows];
  HWY_ALIGN std::int16_t b[kRows];
  hn::Store(lower, d, a);
  hn::Store(upper, d, b);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    references[i] = 0.5F * static_cast<float>(a[i] + b[i]);
  }
}

void medians_of_set(Members members, const std::int16_t* turned, float* references) {
  for (std::size_t lane = 0; lane < kRows; lane += hn::Lanes(Lanes())) {
    if (is_dense(members)) {
      const Dense value_of{turned + members[0] * kRows + lane};
      medians_of_counts(members.size(), value_of, references + lane);
    } else {
      const Listed value_of{turned + lane, members.data()};
      medians_of_counts(members.size(), value_of, references + lane);
    }
  }
}

void median_counts(const ReferencePlan& plan, const ReferenceTile<std::int16_t>& in,
                   std::byte* scratch, float* references) {
  auto* turned = reinterpret_cast<std::int16_t*>(scratch);
  const std::int16_t* rows[kRows];
  std::copy(in.rows.begin(), in.rows.end(), rows);
  for (std::size_t c = 0; c < plan.fold.size(); c += kBlock) {
    turn(rows, turned + c * kRows);
    for (auto& row : rows) {
      row += kBlock;
    }
  }
  for (std::size_t s = 0; s < plan.sets.size(); ++s) {
    medians_of_set(plan.sets[s].members, turned, references + s * kRows);
  }
}

/// Floats as order-preserving integers, in two halves: the upper 16 bits and the lower ones, both
/// signed. A NaN is the largest of all; no number has its upper half.
struct Halves {
  std::int16_t* upper;
  std::int16_t* lower;
};

HWY_INLINE void split_row(const ReferencePlan& plan, const float* row, std::size_t channel,
                          Halves to) {
  const hn::CappedTag<float, kChannels> d;
  const hn::RebindToSigned<decltype(d)> whole;
  const hn::Rebind<std::int16_t, decltype(d)> half;
  for (std::size_t c = 0; c < kChannels; c += hn::Lanes(d)) {
    auto value = hn::LoadU(d, row + channel + c);
    if (plan.weighted) {
      value = hn::Mul(value, hn::LoadU(d, plan.weight.data() + channel + c));
    }
    const auto bits = hn::BitCast(whole, value);
    const auto ordered =
        hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), hn::Set(whole, 0x7fffffff)));
    const auto number = hn::RebindMask(whole, hn::Eq(value, value));
    const auto key = hn::IfThenElse(number, ordered, hn::Set(whole, 0x7fffffff));
    const auto low = hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::Xor(key, hn::Set(whole, 0x8000))));
    hn::StoreU(hn::DemoteTo(half, hn::ShiftRight<16>(key)), half, to.upper + c);
    hn::StoreU(hn::DemoteTo(half, low), half, to.lower + c);
  }
}

/// The smallest key above (upper, lower) in each lane, where one exists.
struct NextKey {
  V up_to;  ///< Keys not above it.
  V upper;
  V lower;
};

template <class UpperOf, class LowerOf>
HWY_INLINE NextKey next_key(V upper, V lower, std::size_t count, const UpperOf& upper_of,
                            const LowerOf& lower_of) {
  const Lanes d;
  const V most = hn::Set(d, kMost);
  NextKey next{hn::Zero(d), most, most};
  V same_upper = hn::Zero(d);  // keys above it that share its upper half
  V next_lower = most;
  for (std::size_t j = 0; j < count; ++j) {
    const V high = upper_of(j);
    const V low = lower_of(j);
    const M beyond = hn::Gt(high, upper);
    const M above = hn::And(hn::Eq(high, upper), hn::Gt(low, lower));
    next.up_to = plus_where(hn::Not(hn::Or(beyond, above)), next.up_to);
    same_upper = plus_where(above, same_upper);
    next.upper = hn::IfThenElse(beyond, hn::Min(high, next.upper), next.upper);
    next_lower = hn::IfThenElse(above, hn::Min(low, next_lower), next_lower);
  }
  for (std::size_t j = 0; j < count; ++j) {
    const M first = hn::Eq(upper_of(j), next.upper);
    next.lower = hn::IfThenElse(first, hn::Min(lower_of(j), next.lower), next.lower);
  }
  const M close = hn::Gt(same_upper, hn::Zero(d));
  next.upper = hn::IfThenElse(close, upper, next.upper);
  next.lower = hn::IfThenElse(close, next_lower, next.lower);
  return next;
}

void store_means(V upper, V lower, NextKey next, float* references) {
  const Lanes d;
  HWY_ALIGN std::int16_t halves[4][kRows];
  hn::Store(upper, d, halves[0]);
  hn::Store(lower, d, halves[1]);
  hn::Store(next.upper, d, halves[2]);
  hn::Store(next.lower, d, halves[3]);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
    const float a = value_of_key(halves[0][i], halves[1][i]);
    const float b = value_of_key(halves[2][i], halves[3][i]);
    references[i] = a == b ? a : 0.5F * a + 0.5F * b;  // a sum could overflow
  }
}

/// The value of `rank` among few distinct ones, from the smallest upwards; where a lane needs more
/// than a few steps, by bit search. Values of many channels rarely share their upper halves.
HWY_INLINE V select_of_few(V rank, V smallest, std::size_t count, Dense value_of) {
  V found = smallest;
  for (int steps = 0; steps < 6; ++steps) {
    const StepUp step = step_up(found, count, value_of);
    const M reached = hn::Gt(step.up_to, rank);
    if (hn::AllTrue(Lanes(), reached)) {
      return found;
    }
    found = hn::IfThenElse(reached, found, step.next);
  }
  return select_rank(rank, count, all_bounds(), value_of);
}

/// Two searches: the upper half of the median, then its lower half among the keys that share the
/// upper one. `chosen` is scratch of `count` rows.
template <class ValueOf>
HWY_INLINE void medians_of_keys(std::size_t count, const ValueOf& upper_of, const ValueOf& lower_of,
                                std::int16_t* chosen, float* references) {
  const Lanes d;
  V numbers = hn::Zero(d);
  for (std::size_t j = 0; j < count; ++j) {
    numbers = plus_where(hn::Lt(upper_of(j), hn::Set(d, kMost)), numbers);
  }
  const V before = hn::Max(hn::Sub(numbers, hn::Set(d, 1)), hn::Zero(d));
  const V rank = hn::ShiftRight<1>(before);
  const V upper = select_rank(rank, count, all_bounds(), upper_of);
  V below = hn::Zero(d);
  V smallest = hn::Set(d, kMost);
  for (std::size_t j = 0; j < count; ++j) {
    const V high = upper_of(j);
    below = plus_where(hn::Lt(high, upper), below);
    const V low = hn::IfThenElse(hn::Eq(high, upper), lower_of(j), hn::Set(d, kMost));
    smallest = hn::Min(low, smallest);
    hn::Store(low, d, chosen + j * kRows);
  }
  const V lower = select_of_few(hn::Sub(rank, below), smallest, count, Dense{chosen});
  const M even = hn::Eq(hn::And(numbers, hn::Set(d, 1)), hn::Zero(d));
  NextKey next{below, upper, lower};
  if (!hn::AllFalse(d, even)) {
    next = next_key(upper, lower, count, upper_of, lower_of);
    const M far = hn::And(even, hn::Lt(next.up_to, hn::Add(rank, hn::Set(d, 2))));
    next.upper = hn::IfThenElse(far, next.upper, upper);
    next.lower = hn::IfThenElse(far, next.lower, lower);
  }
  store_means(upper, lower, next, references);
}

void medians_of_set(Members members, Halves turned, std::int16_t* chosen, float* references) {
  const std::size_t count = members.size();
  for (std::size_t lane = 0; lane < kRows; lane += hn::Lanes(Lanes())) {
    if (is_dense(members)) {
      const std::size_t first = members[0] * kRows + lane;
      medians_of_keys(count, Dense{turned.upper + first}, Dense{turned.lower + first},
                      chosen + lane, references + lane);
    } else {
      medians_of_keys(count, Listed{turned.upper + lane, members.data()},
                      Listed{turned.lower + lane, members.data()}, chosen + lane,
                      references + lane);
    }
  }
}

void median_floats(const ReferencePlan& plan, const ReferenceTile<float>& in, std::byte* scratch,
                   float* references) {
  const std::size_t size = plan.fold.size() * kRows;
  const Halves turned{reinterpret_cast<std::int16_t*>(scratch),
                      reinterpret_cast<std::int16_t*>(scratch) + size};
  HWY_ALIGN std::int16_t upper[kRows][kChannels];
  HWY_ALIGN std::int16_t lower[kRows][kChannels];
  for (std::size_t c = 0; c < plan.fold.size(); c += kChannels) {
    for (std::size_t row = 0; row < kRows; ++row) {
      split_row(plan, in.rows[row], c, {upper[row], lower[row]});
    }
    for (std::size_t block = 0; block < kChannels; block += kBlock) {
      const std::int16_t* upper_rows[kRows];
      const std::int16_t* lower_rows[kRows];
      for (std::size_t row = 0; row < kRows; ++row) {
        upper_rows[row] = upper[row] + block;
        lower_rows[row] = lower[row] + block;
      }
      turn(upper_rows, turned.upper + (c + block) * kRows);
      turn(lower_rows, turned.lower + (c + block) * kRows);
    }
  }
  for (std::size_t s = 0; s < plan.sets.size(); ++s) {
    medians_of_set(plan.sets[s].members, turned, turned.lower + size, references + s * kRows);
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(median_counts);
HWY_EXPORT(median_floats);

void median_references(const ReferencePlan& plan, const ReferenceTile<std::int16_t>& in,
                       std::byte* scratch, float* references) {
  HWY_DYNAMIC_DISPATCH(median_counts)(plan, in, scratch, references);
}

void median_references(const ReferencePlan& plan, const ReferenceTile<float>& in,
                       std::byte* scratch, float* references) {
  HWY_DYNAMIC_DISPATCH(median_floats)(plan, in, scratch, references);
}

}  // namespace weir::signal
#endif
