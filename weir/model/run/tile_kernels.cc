#include "weir/model/run/tile_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/model/run/tile_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::model::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, kMathLanes>;
using Vector = hn::Vec<Tag>;

template <Vector (*kOperation)(Vector)>
void one(Numbers a, Numbers, Numbers, double* y, std::int64_t count) {
  const Tag d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < count; i += lanes) {
    hn::Store(kOperation(hn::Load(d, a.at + i * a.step)), d, y + i);
  }
}

template <Vector (*kOperation)(Vector, Vector)>
void two(Numbers a, Numbers b, Numbers, double* y, std::int64_t count) {
  const Tag d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < count; i += lanes) {
    hn::Store(kOperation(hn::Load(d, a.at + i * a.step), hn::Load(d, b.at + i * b.step)), d, y + i);
  }
}

template <Vector (*kOperation)(Vector, Vector, Vector)>
void three(Numbers a, Numbers b, Numbers c, double* y, std::int64_t count) {
  const Tag d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t i = 0; i < count; i += lanes) {
    hn::Store(kOperation(hn::Load(d, a.at + i * a.step), hn::Load(d, b.at + i * b.step),
                         hn::Load(d, c.at + i * c.step)),
              d, y + i);
  }
}

HWY_INLINE Vector truth(hn::Mask<Tag> mask) {
  return hn::IfThenElseZero(mask, hn::Set(Tag(), 1.0));
}

Vector add(Vector a, Vector b) {
  return hn::Add(a, b);
}
Vector subtract(Vector a, Vector b) {
  return hn::Sub(a, b);
}
Vector multiply(Vector a, Vector b) {
  return hn::Mul(a, b);
}
Vector divide(Vector a, Vector b) {
  return hn::Div(a, b);
}
Vector negate(Vector a) {
  return hn::Neg(a);
}
Vector copy(Vector a) {
  return a;
}
Vector multiply_add(Vector a, Vector b, Vector c) {
  return hn::MulAdd(a, b, c);
}
Vector multiply_subtract(Vector a, Vector b, Vector c) {
  return hn::MulSub(a, b, c);
}
Vector negated_multiply_add(Vector a, Vector b, Vector c) {
  return hn::NegMulAdd(a, b, c);
}
Vector guarded_multiply(Vector a, Vector b) {
  return hn::IfThenZeroElse(hn::Eq(a, hn::Zero(Tag())), hn::Mul(a, b));
}
Vector square_root(Vector a) {
  return hn::Sqrt(a);
}
Vector absolute(Vector a) {
  return hn::Abs(a);
}
Vector copy_sign(Vector a, Vector b) {
  return hn::CopySign(a, b);
}
Vector minimum(Vector a, Vector b) {
  return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(a)), a, b);
}
Vector maximum(Vector a, Vector b) {
  return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b);
}
Vector less(Vector a, Vector b) {
  return truth(hn::Lt(a, b));
}
Vector less_equal(Vector a, Vector b) {
  return truth(hn::Le(a, b));
}
Vector equal(Vector a, Vector b) {
  return truth(hn::Eq(a, b));
}
Vector select(Vector a, Vector b, Vector c) {
  return hn::IfThenElse(hn::Ne(a, hn::Zero(Tag())), b, c);
}

TileKernel kernel_of(Code code) {
  switch (code) {
    case Code::add:
      return two<add>;
    case Code::subtract:
      return two<subtract>;
    case Code::multiply:
      return two<multiply>;
    case Code::divide:
      return two<divide>;
    case Code::negate:
      return one<negate>;
    case Code::copy:
      return one<copy>;
    case Code::multiply_add:
      return three<multiply_add>;
    case Code::multiply_subtract:
      return three<multiply_subtract>;
    case Code::negated_multiply_add:
      return three<negated_multiply_add>;
    case Code::guarded_multiply:
      return two<guarded_multiply>;
    case Code::sqrt:
      return one<square_root>;
    case Code::absolute:
      return one<absolute>;
    case Code::copy_sign:
      return two<copy_sign>;
    case Code::minimum:
      return two<minimum>;
    case Code::maximum:
      return two<maximum>;
    case Code::less:
      return two<less>;
    case Code::less_equal:
      return two<less_equal>;
    case Code::equal:
      return two<equal>;
    case Code::select:
      return three<select>;
    default:
      return nullptr;
  }
}

template <int kValues>
void add_weighted_rows(Numbers weights, const Numbers* values, std::int64_t count, double* sums) {
  const Tag d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t lane = 0; lane < kMathLanes; lane += lanes) {
    Vector sum[kValues];
    for (int j = 0; j < kValues; ++j) {
      sum[j] = hn::Load(d, sums + j * kMathLanes + lane);
    }
    for (std::int64_t i = lane; i < count; i += kMathLanes) {
      const Vector w = hn::Load(d, weights.at + i * weights.step);
      const auto left_out = hn::Eq(w, hn::Zero(d));
      for (int j = 0; j < kValues; ++j) {
        const Vector v = hn::Load(d, values[j].at + i * values[j].step);
        sum[j] = hn::MulAdd(w, hn::IfThenZeroElse(left_out, v), sum[j]);
      }
    }
    for (int j = 0; j < kValues; ++j) {
      hn::Store(sum[j], d, sums + j * kMathLanes + lane);
    }
  }
}

void add_weighted_values(Numbers weights, const Numbers* values, std::int64_t number,
                         std::int64_t count, double* sums) {
  std::int64_t j = 0;
  for (; j + 4 <= number; j += 4) {
    add_weighted_rows<4>(weights, values + j, count, sums + j * kMathLanes);
  }
  for (; j + 2 <= number; j += 2) {
    add_weighted_rows<2>(weights, values + j, count, sums + j * kMathLanes);
  }
  if (j < number) {
    add_weighted_rows<1>(weights, values + j, count, sums + j * kMathLanes);
  }
}

bool rows_meet(Demand demand, Numbers weights, Numbers values, std::int64_t count) {
  const Tag d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const Vector zero = hn::Zero(d);
  auto bad = hn::Lt(zero, zero);
  for (std::int64_t i = 0; i < count; i += lanes) {
    const Vector w = hn::Load(d, weights.at + i * weights.step);
    const Vector v = hn::Load(d, values.at + i * values.step);
    auto wrong = hn::Not(hn::IsFinite(v));
    if (demand == Demand::positive) {
      wrong = hn::Or(wrong, hn::Le(v, zero));
    } else if (demand == Demand::non_negative) {
      wrong = hn::Or(wrong, hn::Lt(v, zero));
    }
    bad = hn::Or(bad, hn::And(wrong, hn::Ne(w, zero)));
  }
  return hn::AllFalse(d, bad);
}

}  // namespace weir::model::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::model {
HWY_EXPORT(kernel_of);
HWY_EXPORT(add_weighted_values);
HWY_EXPORT(rows_meet);

TileKernel tile_kernel(Code code) {
  return HWY_DYNAMIC_DISPATCH(kernel_of)(code);
}

void add_weighted(Numbers weights, std::span<const Numbers> values, std::int64_t count,
                  double* sums) {
  HWY_DYNAMIC_DISPATCH(add_weighted_values)
  (weights, values.data(), static_cast<std::int64_t>(values.size()), count, sums);
}

bool all_meet(Demand demand, Numbers weights, Numbers values, std::int64_t count) {
  return demand == Demand::nothing ||
         HWY_DYNAMIC_DISPATCH(rows_meet)(demand, weights, values, count);
}

}  // namespace weir::model
#endif
