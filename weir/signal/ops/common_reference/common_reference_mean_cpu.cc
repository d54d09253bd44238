#include <limits>
#include <type_traits>

#include "weir/signal/ops/common_reference/common_reference_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/common_reference/common_reference_mean_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float>, float, std::int32_t>;

template <class D>
HWY_INLINE hn::Vec<D> load_terms(D d, const float* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_INLINE hn::Vec<D> load_terms(D d, const std::int16_t* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::int16_t, D>(), from));
}

float quotient(std::int32_t sum, std::int64_t count) {
  return static_cast<float>(static_cast<double>(sum) / static_cast<double>(count));
}
float quotient(float sum, std::int64_t count) {
  return sum / static_cast<float>(count);
}

// Always kLanePadding partial sums, added in halves: the same bits for every vector width.
template <class T>
HWY_INLINE Sum<T> sum_members(const ReferencePlan& plan, const T* row) {
  const hn::CappedTag<Sum<T>, kLanePadding> d;
  const hn::Rebind<std::int32_t, decltype(d)> whole;
  HWY_ALIGN Sum<T> partial[kLanePadding];
  for (std::size_t lane = 0; lane < kLanePadding; lane += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t c = lane; c < plan.member.size(); c += kLanePadding) {
      auto term = load_terms(d, row + c);
      if constexpr (std::is_same_v<T, float>) {
        if (plan.weighted) {
          term = hn::Mul(term, hn::LoadU(d, plan.weight.data() + c));
        }
      }
      const auto member = hn::BitCast(d, hn::LoadU(whole, plan.member.data() + c));
      sum = hn::Add(sum, hn::And(term, member));
    }
    hn::StoreU(sum, d, partial + lane);
  }
  const hn::CappedTag<Sum<T>, 4> few;
  for (std::size_t half = kLanePadding / 2; half >= 4; half /= 2) {
    for (std::size_t lane = 0; lane < half; lane += hn::Lanes(few)) {
      const auto upper = hn::Load(few, partial + lane + half);
      hn::Store(hn::Add(hn::Load(few, partial + lane), upper), few, partial + lane);
    }
  }
  return (partial[0] + partial[2]) + (partial[1] + partial[3]);
}

float weighted(const ReferencePlan& plan, const float* row, std::uint32_t channel) {
  return plan.weighted ? row[channel] * plan.weight[channel] : row[channel];
}

/// The mean of what is a number; the way of the rare rows that hold a NaN.
float mean_of_numbers(const ReferencePlan& plan, const float* row) {
  float sum = 0;
  std::int64_t count = 0;
  for (const auto channel : plan.sets[0].members) {
    const float term = weighted(plan, row, channel);
    if (term == term) {
      sum += term;
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<float>(count) : std::numeric_limits<float>::quiet_NaN();
}

template <class T>
void mean_of_one_set(const ReferencePlan& plan, const ReferenceTile<T>& in, float* references) {
  const auto count = static_cast<std::int64_t>(plan.sets[0].members.size());
  for (std::size_t row = 0; row < in.frames; ++row) {
    const float mean = quotient(sum_members(plan, in.rows[row]), count);
    references[row] = mean;
    if constexpr (std::is_same_v<T, float>) {
      if (mean != mean) {
        references[row] = mean_of_numbers(plan, in.rows[row]);
      }
    }
  }
}

float term_of(const ReferencePlan& plan, const float* row, std::uint32_t channel) {
  return weighted(plan, row, channel);
}
std::int32_t term_of(const ReferencePlan&, const std::int16_t* row, std::uint32_t channel) {
  return row[channel];
}

/// The mean over `members` of each row. `turned` is [channels, rows].
template <class T>
void mean_of_rows(std::span<const std::uint32_t> members, const Sum<T>* turned, float* references) {
  const hn::CappedTag<Sum<T>, kReferenceRows> d;
  const hn::Rebind<std::int32_t, decltype(d)> whole;
  HWY_ALIGN Sum<T> sums[kReferenceRows];
  HWY_ALIGN std::int32_t counts[kReferenceRows];
  for (std::size_t lane = 0; lane < kReferenceRows; lane += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    auto count = hn::Zero(whole);
    for (const auto channel : members) {
      const auto term = hn::LoadU(d, turned + std::size_t{channel} * kReferenceRows + lane);
      const auto number = hn::Eq(term, term);
      sum = hn::Add(sum, hn::IfThenElseZero(number, term));
      count = hn::Add(count, hn::IfThenElseZero(hn::RebindMask(whole, number), hn::Set(whole, 1)));
    }
    hn::Store(sum, d, sums + lane);
    hn::Store(count, whole, counts + lane);
  }
  for (std::size_t row = 0; row < kReferenceRows; ++row) {
    references[row] = counts[row] > 0 ? quotient(sums[row], counts[row])
                                      : std::numeric_limits<float>::quiet_NaN();
  }
}

/// Rows become lanes, so that any list of channels is summed without gathering.
template <class T>
void mean_of_sets(const ReferencePlan& plan, const ReferenceTile<T>& in, std::byte* scratch,
                  float* references) {
  auto* turned = reinterpret_cast<Sum<T>*>(scratch);
  for (std::uint32_t c = 0; c < plan.channels.size(); ++c) {
    for (std::size_t row = 0; row < kReferenceRows; ++row) {
      turned[c * kReferenceRows + row] = term_of(plan, in.rows[row], c);
    }
  }
  for (std::size_t s = 0; s < plan.sets.size(); ++s) {
    mean_of_rows<T>(plan.sets[s].members, turned, references + s * kReferenceRows);
  }
}

template <class T>
void mean_tile(const ReferencePlan& plan, const ReferenceTile<T>& in, std::byte* scratch,
               float* references) {
  plan.sets.size() == 1 ? mean_of_one_set(plan, in, references)
                        : mean_of_sets(plan, in, scratch, references);
}

void mean_counts(const ReferencePlan& plan, const ReferenceTile<std::int16_t>& in,
                 std::byte* scratch, float* references) {
  mean_tile(plan, in, scratch, references);
}
void mean_floats(const ReferencePlan& plan, const ReferenceTile<float>& in, std::byte* scratch,
                 float* references) {
  mean_tile(plan, in, scratch, references);
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(mean_counts);
HWY_EXPORT(mean_floats);

void mean_references(const ReferencePlan& plan, const ReferenceTile<std::int16_t>& in,
                     std::byte* scratch, float* references) {
  HWY_DYNAMIC_DISPATCH(mean_counts)(plan, in, scratch, references);
}

void mean_references(const ReferencePlan& plan, const ReferenceTile<float>& in, std::byte* scratch,
                     float* references) {
  HWY_DYNAMIC_DISPATCH(mean_floats)(plan, in, scratch, references);
}

}  // namespace weir::signal
#endif
