#include <algorithm>
#include <vector>

#include "weir/signal/order_statistic.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/bracket_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// One vector of counts: how many lie below, and those inside behind `inside`.
template <class D>
struct Collector {
  D d;
  hn::Vec<D> gain;
  hn::Vec<D> middle;
  hn::Vec<D> low;
  hn::Vec<D> high;
  bool distance = false;
  Collected found;

  void take(hn::Vec<D> counts, std::size_t lanes, double* inside) {
    hn::Vec<D> value = hn::Sub(hn::Mul(counts, gain), middle);
    value = distance ? hn::Abs(value) : value;
    const auto there = hn::FirstN(d, lanes);
    found.below += hn::CountTrue(d, hn::And(hn::Lt(value, low), there));
    const auto kept = hn::And(hn::And(hn::Ge(value, low), hn::Le(value, high)), there);
    found.inside += hn::CompressStore(value, kept, d, inside + found.inside);
  }
};

Collected collect(std::span<const float> counts, const CountMap& map, const Bracket& bracket,
                  double* inside) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const std::size_t lanes = hn::Lanes(d);
  Collector<decltype(d)> collector{d,
                                   hn::Set(d, map.gain),
                                   hn::Set(d, map.middle),
                                   hn::Set(d, bracket.low),
                                   hn::Set(d, bracket.high),
                                   map.distance,
                                   {}};
  std::size_t at = 0;
  for (; at + lanes <= counts.size(); at += lanes) {
    collector.take(hn::PromoteTo(d, hn::LoadU(df, counts.data() + at)), lanes, inside);
  }
  if (at < counts.size()) {
    HWY_ALIGN float rest[HWY_MAX_BYTES / sizeof(double)] = {};
    std::copy(counts.begin() + static_cast<std::ptrdiff_t>(at), counts.end(), rest);
    collector.take(hn::PromoteTo(d, hn::Load(df, rest)), counts.size() - at, inside);
  }
  return collector.found;
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(collect);

Collected collect_inside(std::span<const float> counts, const CountMap& map, const Bracket& bracket,
                         std::vector<double>& inside) {
  inside.resize(std::max(inside.size(), counts.size() + kCollectSlack));
  return HWY_DYNAMIC_DISPATCH(collect)(counts, map, bracket, inside.data());
}

}  // namespace weir::signal
#endif
