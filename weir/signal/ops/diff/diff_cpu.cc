#include "weir/signal/ops/diff/diff_internal.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "weir/signal/ops/diff/diff_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace weir::signal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kLanePadding>;

/// First differences need no memory but the row before, which stands in the block.
void first_differences(Block<const float> in, const float* before, Block<float> out) {
  const Floats d;
  const auto padded = static_cast<std::size_t>(padded_channels(in.channels()));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const float* x = in.row(frame);
    float* y = out.row(frame);
    for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
      hn::StoreU(hn::Sub(hn::LoadU(d, x + c), hn::LoadU(d, before + c)), d, y + c);
    }
    before = x;
  }
}

void later_differences(Block<const float> in, Block<float> previous, Block<float> out) {
  const Floats d;
  const auto padded = static_cast<std::size_t>(padded_channels(in.channels()));
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    const float* x = in.row(frame);
    float* y = out.row(frame);
    for (std::size_t c = 0; c < padded; c += hn::Lanes(d)) {
      auto value = hn::LoadU(d, x + c);
      for (std::int64_t k = 0; k < previous.frames(); ++k) {
        float* kept = previous.row(k) + c;
        const auto before = hn::LoadU(d, kept);
        hn::StoreU(value, d, kept);
        value = hn::Sub(value, before);
      }
      hn::StoreU(value, d, y + c);
    }
  }
}

void differences(Block<const float> in, Block<float> previous, Block<float> out) {
  if (previous.frames() == 1) {
    first_differences(in, previous.row(0), out);
  } else {
    later_differences(in, previous, out);
  }
}

}  // namespace weir::signal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace weir::signal {
HWY_EXPORT(differences);

void diff_rows(Block<const float> in, Block<float> previous, Block<float> out) {
  HWY_DYNAMIC_DISPATCH(differences)(in, previous, out);
}

}  // namespace weir::signal
#endif
